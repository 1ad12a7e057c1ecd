import { NO_ACTIVATION, PACKED_BYTES, RELU_ACTIVATION } from '#workers/wasm/fields/matrixFields.ts';
import type { tf } from '../tf.ts';
import type { WasmBackend } from './wasmBackend.ts';

/** One product of matrices that lie in the heap, or a batch of them. */
export interface Product {
  readonly a: tf.TensorInfo;
  readonly b: tf.TensorInfo;
  readonly transposeA?: boolean;
  readonly transposeB?: boolean;
  /** Sizes of one product: A (rows, depth) times B (depth, columns), as they are multiplied. */
  readonly rows: number;
  readonly columns: number;
  readonly depth: number;
  /** [columns] Added to every row. */
  readonly bias?: tf.TensorInfo | undefined;
  readonly rectified?: boolean;
  /** How many products; left out, one. */
  readonly batch?: number;
  /** Whether all of the batch share A, or B. */
  readonly sharesA?: boolean;
  readonly sharesB?: boolean;
}

/** Writes the product to `to`, the address of batch × rows × columns floats. None of the sizes is 0. */
export function multiply(backend: WasmBackend, to: number, product: Product): void {
  const { a, b, transposeA = false, transposeB = false, rows, columns, depth, bias, rectified = false } = product;
  const { batch = 1, sharesA = false, sharesB = false } = product;
  // Products that share B are one tall product.
  const isTall = (sharesB || batch === 1) && !sharesA && !transposeA;
  const cost = (batch * rows * columns * depth) / 4;
  backend.withScratch(PACKED_BYTES * backend.kernels.lanes, (scratch) => {
    backend.compute(cost, 'matrixProduct', {
      a: backend.addressOf(a),
      b: backend.addressOf(b),
      c: to,
      bias: bias === undefined ? 0 : backend.addressOf(bias),
      scratch,
      rows: isTall ? batch * rows : rows,
      columns,
      depth,
      // bytes from row to row, within a row, and from matrix to matrix
      aRow: transposeA ? 4 : 4 * depth,
      aInner: transposeA ? 4 * rows : 4,
      bTransposed: transposeB ? 1 : 0,
      bRow: transposeB ? 4 * depth : 4 * columns,
      activation: rectified ? RELU_ACTIVATION : NO_ACTIVATION,
      batch: isTall ? 1 : batch,
      aBatch: sharesA ? 0 : 4 * rows * depth,
      bBatch: sharesB ? 0 : 4 * depth * columns,
    });
  });
}
