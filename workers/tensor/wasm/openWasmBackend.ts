import { ParallelKernels } from '#workers/wasm/calls/parallelKernels.ts';
import { TensorHeap } from '#workers/wasm/memory/tensorHeap.ts';
import { tf } from '../tf.ts';
import { registerWasmKernels } from './registerWasmKernels.ts';
import { WasmBackend } from './wasmBackend.ts';

export interface OpenWasmBackend {
  backend: WasmBackend;
  memory(): { bytesInUse: number; peakBytes: number; limitBytes: number };
  /** Removes the backend, with every tensor that it still holds, and ends its threads. More than once does nothing. */
  close(): Promise<void>;
}

/**
 * Makes `wasm` the backend of tfjs, with `threads` threads (the caller is one of them) and at most `limitBytes` of
 * tensors. One at a time in a process. Throws INTERNAL when a thread does not start.
 */
export async function openWasmBackend(threads: number, limitBytes?: number): Promise<OpenWasmBackend> {
  if (tf.findBackend('wasm') !== null) throw new Error('internal: the wasm backend is already open');
  const heap = new TensorHeap(limitBytes);
  const kernels = await ParallelKernels.start(heap.memory, threads);
  const backend = new WasmBackend(heap, kernels);
  registerWasmKernels();
  tf.registerBackend('wasm', () => backend);
  tf.setBackend('wasm');
  return {
    backend,
    memory: () => ({ bytesInUse: heap.bytesInUse, peakBytes: heap.peakBytes, limitBytes: heap.limitBytes }),
    close: async () => {
      if (tf.findBackend('wasm') === backend) tf.removeBackend('wasm');
      await kernels.close();
    },
  };
}
