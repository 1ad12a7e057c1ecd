import type { SparseRows, SparseTensor } from '../sparseTensor.ts';
import { tf } from '../tf.ts';
import type { WasmBackend } from '../wasm/wasmBackend.ts';
import { differentiable } from './differentiable.ts';
import { expectShape } from './expectShape.ts';
import { heapTensor } from './heapTensor.ts';
import { wasmBackendInUse } from './wasmBackendInUse.ts';

/**
 * A x for a constant sparse A (rows, columns) and x [columns, d]: [rows, d], differentiable in x by the transpose. On wasm
 * each row is summed in the order of its entries, whatever the number of threads. Throws BAD_INPUT for another number of rows.
 */
export function sparseDenseProduct(matrix: SparseTensor, x: tf.Tensor2D): tf.Tensor2D {
  expectShape('sparseDenseProduct', 'x', x, [matrix.plain.shape[1], null]);
  const backend = wasmBackendInUse();
  if (!backend) return composedSparseDenseProduct(matrix, x);
  return differentiable<tf.Tensor2D>([x], () => ({
    value: fused(backend, matrix.plain, x),
    gradient: (upstream) => [fused(backend, matrix.transposed, upstream as tf.Tensor2D)],
  }));
}

/** The reference implementation of `sparseDenseProduct`, out of tfjs operations; it makes a matrix (entries, d). */
export function composedSparseDenseProduct(matrix: SparseTensor, x: tf.Tensor2D): tf.Tensor2D {
  return differentiable<tf.Tensor2D>([x], () => ({
    value: composed(matrix.plain, x),
    gradient: (upstream) => [composed(matrix.transposed, upstream as tf.Tensor2D)],
  }));
}

function fused(
  backend: WasmBackend,
  { shape, shares, offsets, columns, values }: SparseRows,
  x: tf.Tensor2D,
): tf.Tensor2D {
  const width = x.shape[1];
  const { tensor, address } = heapTensor<tf.Tensor2D>(backend, [shape[0], width]);
  const operands = backend.addressesOf({ shares, offsets, indices: columns, values, x });
  backend.kernels.run('sparseProduct32', { ...operands, y: address, width });
  return tensor;
}

function composed({ shape, columns, rows, values }: SparseRows, x: tf.Tensor2D): tf.Tensor2D {
  if (values.size === 0) return tf.zeros([shape[0], x.shape[1]]);
  const terms = tf.mul(tf.gather(x, columns), tf.expandDims(values, 1));
  return tf.scatterND(rows, terms, [shape[0], x.shape[1]]) as tf.Tensor2D;
}
