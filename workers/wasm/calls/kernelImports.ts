import { type MemoryProduct, openProductLibrary } from './productLibrary.ts';

/** What the compiled kernels import. */
export type KernelImports = Record<
  'env',
  { memory: WebAssembly.Memory; hasProductLibrary: 0 | 1; libraryProduct: MemoryProduct }
>;

/**
 * The imports of kernels that work on `memory` and, where `library` names the file of OpenBLAS, have it multiply matrices.
 * @throws WarrenError UNAVAILABLE where the library does not open.
 */
export function kernelImports(memory: WebAssembly.Memory, library: string | null): KernelImports {
  if (library === null) return { env: { memory, hasProductLibrary: 0, libraryProduct: noLibrary } };
  return { env: { memory, hasProductLibrary: 1, libraryProduct: openProductLibrary(library).productIn(memory) } };
}

function noLibrary(): never {
  throw new Error('internal: a kernel asked for a library that this computation does not have');
}
