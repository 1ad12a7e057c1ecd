import { tf } from '../tf.ts';
import { WasmBackend } from '../wasm/wasmBackend.ts';

/** Warren's own backend where it is the one in use, so that an operation may call its kernels; else null. */
export function wasmBackendInUse(): WasmBackend | null {
  if (tf.getBackend() !== 'wasm') return null;
  const backend = tf.backend();
  return backend instanceof WasmBackend ? backend : null;
}
