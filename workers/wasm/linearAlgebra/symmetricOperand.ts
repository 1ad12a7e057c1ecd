import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import type { NumericScope } from '../threads/numericThreads.ts';
import { BLOCK, type SymmetricOperator } from './blockLanczos.ts';
import { rowShares } from './rowShares.ts';

/** Below this many rows, waking the threads takes longer than adding their sums. */
const SHARED_ROWS = 4000;

/** A symmetric sparse matrix in the heap by its upper triangle, shared out among the lanes by entries. Lives as long as its scope. */
export class SymmetricOperand implements SymmetricOperator {
  readonly size: number;
  readonly #scope: NumericScope;
  readonly #upper: { shares: number; offsets: number; indices: number; values: number };
  readonly #diagonal: number;
  /** (lanes, size, 8) Each row of x beside its sums of one lane. */
  readonly #pairs: number;

  /** Of a matrix that `checkSymmetric` lets pass; what is below the diagonal is not read. */
  constructor(scope: NumericScope, matrix: SparseMatrix) {
    this.#scope = scope;
    this.size = matrix.rowCount;
    const { lanes } = scope.threads.kernels;
    const { offsets, columns, values, diagonal } = upperTriangle(matrix);
    this.#upper = {
      shares: scope.place(rowShares(offsets, lanes)),
      offsets: scope.place(offsets),
      indices: scope.place(columns),
      values: scope.place(values),
    };
    this.#diagonal = scope.place(diagonal);
    this.#pairs = scope.reserve(16 * BLOCK * this.size * lanes);
  }

  recur([alpha, beta, gamma]: readonly [number, number, number], x: number, z: number, y: number): void {
    const { kernels } = this.#scope.threads;
    const size = this.size;
    const pairs = this.#pairs;
    // No spread: an object that one begins takes V8 as long as a small product.
    const { shares, offsets, indices, values } = this.#upper;
    kernels.run('symmetricProduct4', { shares, offsets, indices, values, x, pairs, size });
    const [parts, diagonal] = [kernels.lanes, this.#diagonal];
    const recurrence = { pairs, parts, diagonal, size, z, y, alpha, beta, gamma };
    if (size < SHARED_ROWS) kernels.runAlone('symmetricRecurrence4', recurrence);
    else kernels.run('symmetricRecurrence4', recurrence);
  }
}

/** The entries above the diagonal in compressed rows, and the (rows) diagonal. */
function upperTriangle({ rowCount, offsets, columns, values }: SparseMatrix) {
  const upper = new Uint32Array(rowCount + 1);
  const diagonal = new Float64Array(rowCount);
  for (let row = 0; row < rowCount; row++) {
    let above = 0;
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) if (columns[at]! > row) above += 1;
    upper[row + 1] = upper[row]! + above;
  }
  const kept = { columns: new Uint32Array(upper[rowCount]!), values: new Float64Array(upper[rowCount]!) };
  let to = 0;
  for (let row = 0; row < rowCount; row++) {
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) {
      if (columns[at] === row) diagonal[row] = values[at]!;
      if (columns[at]! <= row) continue;
      kept.columns[to] = columns[at]!;
      kept.values[to] = values[at]!;
      to += 1;
    }
  }
  return { offsets: upper, ...kept, diagonal };
}
