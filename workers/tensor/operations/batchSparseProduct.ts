import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import { transposeSparse } from '#workers/math/sparse/transposeSparse.ts';
import { sparseRows } from '../sparseTensor.ts';
import type { tf } from '../tf.ts';
import { differentiable } from './differentiable.ts';
import { expectShape } from './expectShape.ts';
import { sparseRowsProduct } from './sparseDenseProduct.ts';

/**
 * `sparseDenseProduct` for a matrix of one batch: A x, A (rows, columns) and x [columns, d] to [rows, d], differentiable in x. The
 * matrix is copied to the backend where it is needed and let go of at once. Throws BAD_INPUT for another number of rows.
 */
export function batchSparseProduct(matrix: SparseMatrix, x: tf.Tensor2D): tf.Tensor2D {
  expectShape('batchSparseProduct', 'x', x, [matrix.columnCount, null]);
  return differentiable<tf.Tensor2D>([x], () => ({
    value: sparseRowsProduct(sparseRows(matrix), x),
    gradient: (upstream) => [sparseRowsProduct(sparseRows(transposeSparse(matrix)), upstream as tf.Tensor2D)],
  }));
}
