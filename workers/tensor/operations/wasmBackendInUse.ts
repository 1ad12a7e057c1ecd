import { tf } from '../tf.ts';
import { WasmBackend } from '../wasm/wasmBackend.ts';

/** Warren's own backend where it is the one in use, so that an operation may call its kernels; else null. */
export function wasmBackendInUse(): WasmBackend | null {
  if (tf.getBackend() !== 'wasm') return null;
  const backend = tf.backend();
  return backend instanceof WasmBackend ? backend : null;
}

/** Whether these variables can be written where they lie: on wasm, and no other tensor shares their bytes. */
export function inPlace(variables: readonly tf.Variable[]): boolean {
  const backend = wasmBackendInUse();
  return backend !== null && variables.every((variable) => backend.refCount(variable.dataId) === 1);
}
