import type { tf } from '../tf.ts';
import { wasmBackendInUse } from './wasmBackendInUse.ts';

/** Whether these variables can be written where they lie: on wasm, and no other tensor shares their bytes. */
export function inPlace(variables: readonly tf.Variable[]): boolean {
  const backend = wasmBackendInUse();
  return backend !== null && variables.every((variable) => backend.refCount(variable.dataId) === 1);
}
