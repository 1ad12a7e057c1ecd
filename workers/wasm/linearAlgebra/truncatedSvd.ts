import { badInput } from '#src/base/contracts/errors.ts';
import type { EigenpairRequest } from '#workers/math/dense/eigenpairs.ts';
import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import { transposeSparse } from '#workers/math/sparse/transposeSparse.ts';
import type { SymmetricOperator } from './blockLanczos.ts';
import { denseSymmetricEigen } from './denseSymmetricEigen.ts';
import { EigenSearch } from './eigenSearch.ts';
import type { NumericScope, NumericThreads } from '../threads/numericThreads.ts';
import { runSearch } from './sparseEigenpairs.ts';
import { SparseOperand } from './sparseOperand.ts';

export interface TruncatedSvd {
  /** (rank) Singular values, largest first. */
  values: Float64Array;
  /** (rows, rank) Row-major left singular vectors; zero where the singular value is. */
  left: Float64Array;
  /** (columns, rank) Row-major right singular vectors; the component of largest magnitude is positive. */
  right: Float64Array;
}

export type SvdRequest = Omit<EigenpairRequest, 'count' | 'end'> & { rank: number };

const DENSE_SIZE = 256;

/**
 * The `rank` largest singular triplets of a sparse matrix, from the eigenpairs of A'A (or of AA' where A has fewer rows): a
 * singular value σ is exact to about 1e-16 σ₁² / σ, so those below 1e-8 σ₁ are noise. A dense matrix is one with all entries
 * stored. Throws as `sparseEigenpairs` does.
 */
export async function truncatedSvd(
  threads: NumericThreads,
  matrix: SparseMatrix,
  { rank, ...options }: SvdRequest,
): Promise<TruncatedSvd> {
  const { rowCount, columnCount } = matrix;
  const most = Math.min(rowCount, columnCount);
  if (!Number.isInteger(rank) || rank < 1 || rank > most) {
    throw badInput(
      `rank ${rank} of a ${rowCount} × ${columnCount} matrix; expected a whole number from 1 to ${most}`,
      'rank',
    );
  }
  if (rowCount < columnCount) {
    const { values, left, right } = await truncatedSvd(threads, transposeSparse(matrix), { rank, ...options });
    return { values, left: right, right: left };
  }
  const scope = threads.scope();
  try {
    const operator = new GramOperator(scope, matrix);
    const right = await rightVectors(scope, operator, { matrix, rank, options });
    return operator.triplets(right, rank);
  } finally {
    scope.release();
  }
}

interface RightVectorsRequest {
  matrix: SparseMatrix;
  rank: number;
  options: Omit<SvdRequest, 'rank'>;
}

/** (columns, rank) Eigenvectors of A'A, largest first. */
async function rightVectors(
  scope: NumericScope,
  operator: GramOperator,
  { matrix, rank, options }: RightVectorsRequest,
): Promise<Float64Array> {
  const { columnCount: size } = matrix;
  if (size > DENSE_SIZE && 6 * rank <= size) {
    const request = { ...options, count: rank, end: 'largest', tolerance: options.tolerance ?? 1e-10 } as const;
    const search = new EigenSearch(scope, operator, request, (2 * matrix.columns.length) / size);
    return (await runSearch(search, options.signal)).vectors;
  }
  const { vectors } = denseSymmetricEigen(scope.threads, denseGram(matrix), size);
  return Float64Array.from({ length: size * rank }, (_, at) => {
    return vectors[(size - 1 - (at % rank)) * size + Math.floor(at / rank)]!;
  });
}

function denseGram({ rowCount, columnCount: size, offsets, columns, values }: SparseMatrix): Float64Array {
  const gram = new Float64Array(size * size);
  for (let row = 0; row < rowCount; row++) {
    for (let a = offsets[row]!; a < offsets[row + 1]!; a++) {
      for (let b = offsets[row]!; b < offsets[row + 1]!; b++)
        gram[columns[a]! * size + columns[b]!]! += values[a]! * values[b]!;
    }
  }
  return gram;
}

/** A'A as an operator on blocks. */
class GramOperator implements SymmetricOperator {
  readonly size: number;
  readonly #scope: NumericScope;
  readonly #matrix: SparseOperand;
  readonly #transposed: SparseOperand;
  readonly #between: number;
  readonly #product: number;

  constructor(scope: NumericScope, matrix: SparseMatrix) {
    this.size = matrix.columnCount;
    this.#scope = scope;
    this.#matrix = new SparseOperand(scope, matrix);
    this.#transposed = new SparseOperand(scope, transposeSparse(matrix));
    this.#between = scope.reserve(32 * matrix.rowCount);
    this.#product = scope.reserve(32 * matrix.columnCount);
  }

  recur([alpha, beta, gamma]: readonly [number, number, number], x: number, z: number, y: number): void {
    this.#matrix.multiply(x, this.#between, 4);
    this.#transposed.multiply(this.#between, this.#product, 4);
    this.#scope.threads.kernels.run('blendBlocks', {
      count: 4 * this.size,
      alpha,
      u: this.#product,
      beta,
      x,
      gamma,
      z,
      y,
    });
  }

  /** Singular values ‖A v‖ and left vectors A v / ‖A v‖. */
  triplets(right: Float64Array, rank: number): TruncatedSvd {
    const rows = this.#matrix.rowCount;
    const [x, y] = [this.#scope.place(right), this.#scope.reserve(8 * rows * rank)];
    this.#matrix.multiply(x, y, rank);
    const left = this.#scope.doubles(y, rows * rank).slice();
    const values = new Float64Array(rank);
    for (let at = 0; at < left.length; at++) values[at % rank]! += left[at]! ** 2;
    for (let i = 0; i < rank; i++) values[i] = Math.sqrt(values[i]!);
    const smallest = 1e-8 * Math.max(...values);
    for (let at = 0; at < left.length; at++) {
      const value = values[at % rank]!;
      left[at] = value > smallest ? left[at]! / value : 0;
    }
    return { values, left, right };
  }
}
