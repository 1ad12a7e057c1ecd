import { coerceError } from '#src/base/lib/coerceError.ts';
import { findOpenblas } from './findOpenblas.ts';
import { openProductLibrary } from './productLibrary.ts';

/** OpenBLAS that opens here, or why there is none and what to do. */
export type OpenblasSupport = { file: string; version: string } | { reason: string };

/** Whether matrices can be multiplied by OpenBLAS in this process, by opening it: asked only where it is wanted. */
export function openblasSupport(environment: NodeJS.ProcessEnv = process.env): OpenblasSupport {
  const file = findOpenblas(environment);
  if (typeof file !== 'string') return { reason: file.missing };
  try {
    return { file, version: openProductLibrary(file).version };
  } catch (error) {
    return { reason: coerceError(error).message };
  }
}
