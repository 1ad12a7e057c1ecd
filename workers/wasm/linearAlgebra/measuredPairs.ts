import type { Eigenpairs } from '#workers/math/dense/eigenpairs.ts';
import { eigenvectorSign } from '#workers/math/dense/symmetricEigen.ts';
import type { NumericThreads } from '../threads/numericThreads.ts';
import { BLOCK, type BlockLanczos, type SymmetricOperator } from './blockLanczos.ts';

/** Ritz vectors in the heap, a block behind the other, and which of them are asked for. */
export interface RitzVectors {
  address: number;
  /** How many there are: a multiple of BLOCK. */
  width: number;
  /** How many to return: those with the greatest values for `sign` 1, with the least for -1. */
  count: number;
  sign: 1 | -1;
}

/** Eigenvalues and true residuals of Ritz vectors, by one product of the matrix with each, in the order asked for. */
export function measuredPairs(
  { threads, lanczos, operator }: { threads: NumericThreads; lanczos: BlockLanczos; operator: SymmetricOperator },
  { address, width, count, sign }: RitzVectors,
): Eigenpairs {
  const { size } = operator;
  const { kernels } = threads;
  const values = new Float64Array(width);
  const residuals = new Float64Array(width);
  const scope = threads.scope();
  try {
    const product = scope.reserve(lanczos.blockBytes);
    const shifts = scope.placeDoubles(BLOCK);
    const sums = scope.placeDoubles(BLOCK * kernels.lanes);
    for (let block = 0; block < width / BLOCK; block++) {
      const x = address + block * lanczos.blockBytes;
      operator.recur([1, 0, 0], x, x, product);
      lanczos.products += BLOCK;
      const found = lanczos.inner(x, product);
      values.set(found, block * BLOCK);
      shifts.values.set(found);
      kernels.run('shiftedSquares', size, x, product, shifts.address, sums.address);
      for (const [i, square] of sums.values.entries()) residuals[block * BLOCK + (i % BLOCK)]! += square;
    }
    const order = [...values.keys()].sort((a, b) => sign * (values[b]! - values[a]!) || a - b).slice(0, count);
    const vectors = new Float64Array(size * count);
    const blocks = scope.doubles(address, size * width);
    for (const [to, from] of order.entries()) {
      const start = (from >> 2) * BLOCK * size + (from & 3);
      const column = blocks.subarray(start, start + BLOCK * size - (from & 3));
      const direction = eigenvectorSign(column, BLOCK);
      for (let row = 0; row < size; row++) vectors[row * count + to] = direction * column[row * BLOCK]!;
    }
    return {
      values: Float64Array.from(order, (at) => values[at]!),
      vectors,
      residuals: Float64Array.from(order, (at) => Math.sqrt(residuals[at]!)),
      products: lanczos.products,
    };
  } finally {
    scope.release();
  }
}
