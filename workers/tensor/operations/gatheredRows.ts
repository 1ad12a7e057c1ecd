import type { tf } from '../tf.ts';
import type { WasmBackend } from '../wasm/wasmBackend.ts';
import { heapTensor } from './heapTensor.ts';

interface Rows {
  /** int32; -1 stands for no row. */
  readonly numbers: tf.Tensor;
  /** Of the result. */
  readonly shape: [rows: number, columns: number];
}

/** The rows `numbers` of a table, one after the other, -1 as zeros, seen as a matrix of `shape`. */
export function gatheredRows(backend: WasmBackend, table: tf.Tensor2D, { numbers, shape }: Rows): tf.Tensor2D {
  const { tensor, address } = heapTensor<tf.Tensor2D>(backend, shape);
  const [extent, inner] = table.shape;
  backend.compute(tensor.size, 'gatherRows', {
    table: backend.addressOf(table),
    indices: backend.addressOf(numbers),
    to: address,
    outer: 1,
    extent,
    count: numbers.size,
    inner,
  });
  return tensor;
}

/** The other way: what belongs to each row of a table of `shape`, summed in the order of `numbers`; -1 belongs to none. */
export function summedRows(backend: WasmBackend, terms: tf.Tensor, { numbers, shape }: Rows): tf.Tensor2D {
  const [rows, columns] = shape;
  const { tensor, address } = heapTensor<tf.Tensor2D>(backend, shape);
  const [from, ids] = [backend.addressOf(terms), backend.addressOf(numbers)];
  const cost = (rows + numbers.size) * columns;
  backend.compute(cost, 'segmentSum', from, ids, address, numbers.size, rows, columns);
  return tensor;
}
