import { WarrenError } from '#src/base/contracts/errors.ts';

/** A pivot at or below this share of the largest diagonal element is rounding: the matrix counts as not positive definite. */
export function pivotFloor(matrix: Float64Array, n: number): number {
  let largest = 0;
  for (let i = 0; i < n; i++) largest = Math.max(largest, Math.abs(matrix[i * n + i]!));
  return n * Number.EPSILON * largest;
}

/** BAD_INPUT: at which pivot the factorisation stopped, how far it is from positive, and what would help. */
export function notPositiveDefinite(matrix: Float64Array, n: number, pivot: number, value: number): WarrenError {
  let largest = 0;
  for (let i = 0; i < n; i++) largest = Math.max(largest, Math.abs(matrix[i * n + i]!));
  const jitter = 10 * Math.max(-value, n * Number.EPSILON * largest);
  return new WarrenError(
    'BAD_INPUT',
    `the ${n} × ${n} matrix is not positive definite within rounding: pivot ${pivot + 1} of ${n} is ${value.toExponential(3)}, where more than ${pivotFloor(matrix, n).toExponential(3)} is needed; the largest diagonal element is ${largest.toPrecision(4)}; adding about ${jitter.toExponential(1)} to the diagonal may help`,
  );
}

/**
 * Lower triangular L, row-major with zeros above, of a symmetric positive definite row-major `matrix` (n, n) = L L'; only
 * the lower triangle is read. Throws BAD_INPUT for others, saying at which
 * pivot, how far it is from positive and what jitter may help.
 */
export function cholesky(matrix: Float64Array, n: number): Float64Array {
  const factor = new Float64Array(n * n);
  const floor = pivotFloor(matrix, n);
  for (let row = 0; row < n; row++) {
    for (let column = 0; column <= row; column++) {
      let sum = matrix[row * n + column]!;
      for (let k = 0; k < column; k++) sum -= factor[row * n + k]! * factor[column * n + k]!;
      if (row !== column) factor[row * n + column] = sum / factor[column * n + column]!;
      else if (sum > floor) factor[row * n + row] = Math.sqrt(sum);
      else throw notPositiveDefinite(matrix, n, row, sum);
    }
  }
  return factor;
}

/** L⁻¹ b, or L⁻ᵀ b, for row-major b (n, width). */
export function solveTriangular(
  factor: Float64Array,
  n: number,
  { b, width, transposed }: { b: Float64Array; width: number; transposed: boolean },
): Float64Array {
  const x = b.slice();
  for (let step = 0; step < n; step++) {
    const row = transposed ? n - 1 - step : step;
    for (let other = 0; other < step; other++) {
      const k = transposed ? n - 1 - other : other;
      const value = transposed ? factor[k * n + row]! : factor[row * n + k]!;
      for (let column = 0; column < width; column++) x[row * width + column]! -= value * x[k * width + column]!;
    }
    for (let column = 0; column < width; column++) x[row * width + column]! /= factor[row * n + row]!;
  }
  return x;
}
