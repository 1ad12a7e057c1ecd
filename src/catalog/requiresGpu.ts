import { findKind } from './kinds.ts';

/** Whether runs of this configuration are executed by workers with a graphics processor only. */
export function requiresGpu(kind: string, parameters: Readonly<Record<string, unknown>>): boolean {
  return parameters.requires === 'gpu' || findKind(kind)?.requires === 'gpu';
}
