import { type SparseMatrix, checkSparseMatrix } from '../math/sparse/sparseMatrix.ts';
import { transposeSparse } from '../math/sparse/transposeSparse.ts';
import { rowShares } from '../wasm/linearAlgebra/rowShares.ts';
import { tf } from './tf.ts';
import { wasmBackendInUse } from './operations/wasmBackendInUse.ts';

/** Compressed rows as tensors of the backend. */
export interface SparseRows {
  readonly shape: readonly [number, number];
  /** (lanes + 1) first row of each lane, shared out by entries; empty where there are no lanes. */
  readonly shares: tf.Tensor1D;
  /** (rows + 1) */
  readonly offsets: tf.Tensor1D;
  /** (entries) */
  readonly columns: tf.Tensor1D;
  /** (entries, 1) */
  readonly rows: tf.Tensor2D;
  /** (entries) */
  readonly values: tf.Tensor1D;
}

/** A constant sparse matrix on the backend in use, with its transpose for gradients. Whoever makes it disposes it. */
export interface SparseTensor {
  readonly plain: SparseRows;
  readonly transposed: SparseRows;
  dispose(): void;
}

/**
 * Copies a matrix to the backend, in single precision; one that is known to be symmetric is its own transpose. Throws BAD_INPUT
 * for one that is not as `SparseMatrix` says.
 */
export function sparseTensor(matrix: SparseMatrix, { isSymmetric = false } = {}): SparseTensor {
  checkSparseMatrix(matrix);
  const plain = sparseRows(matrix);
  const transposed = isSymmetric ? plain : sparseRows(transposeSparse(matrix));
  const tensors = [...new Set([plain, transposed])].flatMap(({ shares, offsets, columns, rows, values }) => [
    shares,
    offsets,
    columns,
    rows,
    values,
  ]);
  for (const tensor of tensors) tf.keep(tensor);
  return { plain, transposed, dispose: () => tf.dispose(tensors) };
}

/** Copies the rows of a matrix to the backend; the tensors are the caller's. */
export function sparseRows({ rowCount, columnCount, offsets, columns, values }: SparseMatrix): SparseRows {
  const backend = wasmBackendInUse();
  const rows = new Int32Array(columns.length);
  for (let row = 0; row < rowCount; row++) rows.fill(row, offsets[row], offsets[row + 1]);
  const integers = (numbers: ArrayLike<number>): tf.Tensor1D => tf.tensor1d(Int32Array.from(numbers), 'int32');
  return {
    shape: [rowCount, columnCount],
    shares: integers(backend ? rowShares(offsets, backend.kernels.lanes) : []),
    offsets: integers(offsets),
    columns: integers(columns),
    rows: tf.tensor2d(rows, [rows.length, 1], 'int32'),
    values: tf.tensor1d(Float32Array.from(values)),
  };
}
