import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import type { NumericScope } from '../threads/numericThreads.ts';
import { rowShares } from './rowShares.ts';

/** A sparse matrix in the heap, its rows shared out among the lanes by entries. Lives as long as its scope. */
export class SparseOperand {
  readonly rowCount: number;
  readonly columnCount: number;
  readonly #scope: NumericScope;
  readonly #single: boolean;
  readonly #addresses: { shares: number; offsets: number; indices: number; values: number };

  constructor(scope: NumericScope, matrix: SparseMatrix<Float32Array | Float64Array>) {
    this.#scope = scope;
    this.rowCount = matrix.rowCount;
    this.columnCount = matrix.columnCount;
    this.#single = matrix.values instanceof Float32Array;
    this.#addresses = {
      shares: scope.place(rowShares(matrix.offsets, scope.threads.kernels.lanes)),
      offsets: scope.place(matrix.offsets),
      indices: scope.place(matrix.columns),
      values: scope.place(matrix.values),
    };
  }

  /**
   * `y` (rowCount, width) = A `x` (columnCount, width), row-major, at addresses of numbers as wide as the matrix's. Reference implementation:
   * `workers/math/sparse/sparseProduct.ts`; the sums do not depend on the number of lanes.
   */
  multiply(x: number, y: number, width: number): void {
    const name = this.#single ? 'sparseProduct32' : 'sparseProduct64';
    this.#scope.threads.kernels.run(name, { ...this.#addresses, x, y, width });
  }
}
