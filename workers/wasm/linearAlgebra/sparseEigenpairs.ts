import { setImmediate } from 'node:timers/promises';
import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import type { EigenpairRequest, Eigenpairs } from '#workers/math/dense/eigenpairs.ts';
import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import { denseSymmetricEigen } from './denseSymmetricEigen.ts';
import { EigenSearch } from './eigenSearch.ts';
import type { NumericThreads } from '../threads/numericThreads.ts';
import { SymmetricOperand } from './symmetricOperand.ts';

/** Up to this size, or when more than a sixth of the pairs are wanted, all of them are computed from the dense matrix. */
const DENSE_SIZE = 256;
const YIELD_MS = 50;

/**
 * The `count` smallest or largest eigenpairs of a symmetric sparse matrix, multiple eigenvalues with all their copies:
 * thick-restart block Lanczos on a Chebyshev polynomial of the matrix (Zhou and Saad, "A Chebyshev-Davidson algorithm for
 * large symmetric eigenproblems", 2007; Wu and Simon, "Thick-restart Lanczos method", 2000), all in double precision. Equal
 * arguments and thread counts give equal bits. Throws BAD_INPUT for a request that cannot be met, CANCELLED,
 * and `EigenpairsNotConverged` with what converged.
 */
export async function sparseEigenpairs(
  threads: NumericThreads,
  matrix: SparseMatrix,
  request: EigenpairRequest,
): Promise<Eigenpairs> {
  const { rowCount: size, columnCount } = matrix;
  if (size !== columnCount) throw badInput(`matrix: ${size} × ${columnCount}; expected a square one`, 'matrix');
  const { count, tolerance = 1e-10 } = request;
  if (!Number.isInteger(count) || count < 1 || count > size) {
    throw badInput(
      `${count} eigenpairs of a ${size} × ${size} matrix; expected a whole number from 1 to ${size}`,
      'count',
    );
  }
  if (!(tolerance > 0)) throw badInput(`tolerance ${tolerance}; expected a number above 0`, 'tolerance');
  if (size <= DENSE_SIZE || 6 * count > size) return fromDense(threads, matrix, request);
  const scope = threads.scope();
  try {
    const entries = matrix.offsets[size]! / size;
    const search = new EigenSearch(scope, new SymmetricOperand(scope, matrix), { ...request, tolerance }, entries);
    return await runSearch(search, request.signal);
  } finally {
    scope.release();
  }
}

/** Advances the search to its end, letting the event loop run now and then. Throws CANCELLED. */
export async function runSearch(search: EigenSearch, signal: AbortSignal | undefined): Promise<Eigenpairs> {
  let paused = performance.now();
  do {
    if (performance.now() - paused > YIELD_MS) {
      await setImmediate();
      paused = performance.now();
    }
    if (signal?.aborted) throw new WarrenError('CANCELLED', 'the eigensolver was cancelled');
  } while (!search.advance());
  return search.result();
}

function fromDense(threads: NumericThreads, matrix: SparseMatrix, { count, end }: EigenpairRequest): Eigenpairs {
  const { rowCount: n, offsets, columns, values } = matrix;
  const dense = new Float64Array(n * n);
  for (let row = 0; row < n; row++) {
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) dense[row * n + columns[at]!] = values[at]!;
  }
  const all = denseSymmetricEigen(threads, dense, n);
  const result = {
    values: new Float64Array(count),
    vectors: new Float64Array(n * count),
    residuals: new Float64Array(count),
  };
  for (let pair = 0; pair < count; pair++) {
    const from = end === 'smallest' ? pair : n - 1 - pair;
    const vector = all.vectors.subarray(from * n, (from + 1) * n);
    const value = all.values[from]!;
    let square = 0;
    for (let row = 0; row < n; row++) {
      let sum = -value * vector[row]!;
      for (let at = offsets[row]!; at < offsets[row + 1]!; at++) sum += values[at]! * vector[columns[at]!]!;
      square += sum * sum;
      result.vectors[row * count + pair] = vector[row]!;
    }
    result.values[pair] = value;
    result.residuals[pair] = Math.sqrt(square);
  }
  return { ...result, products: n };
}
