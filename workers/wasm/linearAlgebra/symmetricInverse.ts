import { notPositiveDefinite, pivotFloor } from '#workers/math/dense/cholesky.ts';
import type { NumericThreads } from '../threads/numericThreads.ts';

/** Columns factored at once: their part of two rows fits the first-level cache. */
const FACTOR_COLUMNS = 64;
/** Columns of the inverse that a lane solves for at once. */
const LANE_COLUMNS = 8;

/**
 * The inverse (n, n), row-major, of a symmetric positive definite row-major `matrix` (n, n), of which only the lower triangle
 * is read: L L' = matrix by blocks, then L' X = L⁻¹ I for the rows from the diagonal down. About n³ multiplications, on all
 * lanes. `pulse` is told the part that is done and may throw. Throws BAD_INPUT for matrices that are not positive definite.
 */
export function symmetricInverse(
  threads: NumericThreads,
  matrix: Float64Array,
  n: number,
  pulse?: (fraction: number) => void,
): Float64Array {
  const scope = threads.scope();
  try {
    const { kernels } = threads;
    const address = scope.place(matrix);
    const [failed, scratch] = [scope.reserve(4), scope.reserve(64 * kernels.lanes)];
    const failure = scope.words(failed, 1).fill(-1);
    const floor = pivotFloor(matrix, n);
    for (let from = 0; from < n; from += FACTOR_COLUMNS) {
      pulse?.(from / n / 3);
      const to = Math.min(from + FACTOR_COLUMNS, n);
      kernels.runAlone('choleskyBlock', address, n, from, to, floor, failed);
      const at = failure[0]!;
      if (at >= 0) throw notPositiveDefinite(matrix, n, at, scope.doubles(address, n * n)[at * n + at]!);
      if (to === n) break;
      kernels.run('choleskyPanel', address, n, n, from, to);
      kernels.run('choleskyUpdate', address, n, n, from, to, scratch);
    }
    const inverse = new Float64Array(n * n);
    const stride = LANE_COLUMNS * kernels.lanes;
    const columns = scope.reserve(8 * n * stride);
    for (let from = 0; from < n; from += stride) {
      pulse?.((1 + (2 * from) / n) / 3);
      const [size, width] = [n - from, Math.min(stride, n - from)];
      const solved = scope.doubles(columns, size * stride).fill(0);
      for (let at = 0; at < width; at++) solved[at * stride + at] = 1;
      // rows above `from` are zero after the first solve, and known from earlier columns after the second
      const factor = address + 8 * (from * n + from);
      kernels.run('triangularSolve', factor, n, size, 0, columns);
      kernels.run('triangularSolve', factor, n, size, 1, columns);
      for (let row = 0; row < size; row++) {
        for (let at = 0; at < width; at++) {
          const value = solved[row * stride + at]!;
          inverse[(from + row) * n + from + at] = value;
          inverse[(from + at) * n + from + row] = value;
        }
      }
    }
    return inverse;
  } finally {
    scope.release();
  }
}
