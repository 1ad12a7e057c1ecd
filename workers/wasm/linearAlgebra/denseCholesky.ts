import { notPositiveDefinite, pivotFloor } from '#workers/math/dense/cholesky.ts';
import type { NumericThreads } from '../threads/numericThreads.ts';

/** Columns factored at once: their part of two rows fits the first-level cache. */
const BLOCK = 64;

/**
 * Lower triangular L, row-major with zeros above, of a symmetric positive definite row-major `matrix` (n, n) = L L'; only
 * the lower triangle is read. Throws BAD_INPUT for others, saying at which pivot, how far it is from positive and what
 * jitter may help. Reference implementation: `workers/math/dense/cholesky.ts`.
 */
export function denseCholesky(threads: NumericThreads, matrix: Float64Array, n: number): Float64Array {
  const scope = threads.scope();
  try {
    const { kernels } = threads;
    const address = scope.place(matrix);
    const [failed, scratch] = [scope.reserve(4), scope.reserve(64 * kernels.lanes)];
    const failure = scope.words(failed, 1).fill(-1);
    const floor = pivotFloor(matrix, n);
    for (let from = 0; from < n; from += BLOCK) {
      const to = Math.min(from + BLOCK, n);
      kernels.runAlone('choleskyBlock', address, n, from, to, floor, failed);
      const at = failure[0]!;
      if (at >= 0) throw notPositiveDefinite(matrix, n, at, scope.doubles(address, n * n)[at * n + at]!);
      if (to === n) break;
      kernels.run('choleskyPanel', address, n, n, from, to);
      kernels.run('choleskyUpdate', address, n, n, from, to, scratch);
    }
    const factor = scope.doubles(address, n * n).slice();
    for (let row = 0; row < n; row++) factor.fill(0, row * n + row + 1, (row + 1) * n);
    return factor;
  } finally {
    scope.release();
  }
}

/** (L L')⁻¹ b for row-major b (n, width). */
export function solveCholesky(
  threads: NumericThreads,
  factor: Float64Array,
  { b, width }: { b: Float64Array; width: number },
): Float64Array {
  const n = Math.sqrt(factor.length);
  if (b.length !== n * width) throw new Error(`internal: ${b.length} values for a right-hand side of (${n}, ${width})`);
  const scope = threads.scope();
  try {
    const [left, right] = [scope.place(factor), scope.place(b)];
    threads.kernels.run('triangularSolve', left, n, n, 0, right, width);
    threads.kernels.run('triangularSolve', left, n, n, 1, right, width);
    return scope.doubles(right, b.length).slice();
  } finally {
    scope.release();
  }
}
