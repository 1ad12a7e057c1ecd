import type { SequenceLayout } from '../sequenceLayout.ts';
import { timeMajorOrder } from '../timeMajorOrder.ts';
import { tf } from '../tf.ts';
import type { WasmBackend } from '../wasm/wasmBackend.ts';

/** A tensor for kernels to fill, disposed like every other, and its address. Throws OUT_OF_MEMORY. */
export function heapTensor<Shaped extends tf.Tensor>(
  backend: WasmBackend,
  shape: Shaped['shape'],
): { tensor: Shaped; address: number } {
  const { info, address } = backend.allocate(shape, 'float32');
  return { tensor: tf.engine().makeTensorFromTensorInfo(info) as Shaped, address };
}

/** Address of a copy of `numbers` in the heap, there as long as the enclosing tidy. */
export function heapIntegers(backend: WasmBackend, numbers: Int32Array): number {
  return backend.addressOf(tf.tensor1d(numbers, 'int32'));
}

/** Addresses of what kernels of recurrent layers walk by: where sequences begin, and the order of their tokens by time. */
export function heapWalk(backend: WasmBackend, layout: SequenceLayout): { offsets: number; order: number } {
  const offsets = heapIntegers(backend, layout.offsets);
  return { offsets, order: heapIntegers(backend, timeMajorOrder(layout).sequences) };
}
