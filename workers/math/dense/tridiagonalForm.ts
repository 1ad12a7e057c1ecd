/** The two loops over the trailing square that take nearly all the time; kernels or plain. */
export interface TrailingLoops {
  /** out[r] = sum of matrix[r, c] vector[c] over c >= from, for r >= from. */
  product(from: number, reflector: number): void;
  /** matrix -= v w' + w v' over rows and columns >= from. */
  update(from: number, reflector: number): void;
}

export interface TridiagonalForm {
  /** (n) */
  diagonal: Float64Array;
  /** (n) below[i] is beside i and i + 1. */
  below: Float64Array;
}

/**
 * Householder's reduction Q' A Q = T of a full symmetric row-major `matrix` (n, n), Q = H_0 H_1 … with
 * H_j = I - taus[j] v v'. Row j of the matrix becomes reflector j, from column j + 1 on; `work` (n) is between the two
 * loops: the product, and then w. Golub and Van Loan, "Matrix Computations", 8.3.1.
 */
export function tridiagonalForm(
  matrix: Float64Array,
  taus: Float64Array,
  work: Float64Array,
  loops: TrailingLoops,
): TridiagonalForm {
  const n = taus.length;
  const diagonal = new Float64Array(n);
  const below = new Float64Array(n);
  for (let j = 0; j < n; j++) {
    diagonal[j] = matrix[j * n + j]!;
    taus[j] = 0;
    if (j + 1 >= n) break;
    const v = matrix.subarray(j * n, (j + 1) * n);
    let tail = 0;
    for (let i = j + 2; i < n; i++) tail += v[i]! * v[i]!;
    const head = v[j + 1]!;
    if (tail === 0) {
      below[j] = head;
      continue;
    }
    const norm = Math.sqrt(head * head + tail);
    const beta = head > 0 ? -norm : norm;
    below[j] = beta;
    const tau = (beta - head) / beta;
    taus[j] = tau;
    v[j + 1] = 1;
    for (let i = j + 2; i < n; i++) v[i]! /= head - beta;
    loops.product(j + 1, j);
    let along = 0;
    for (let i = j + 1; i < n; i++) along += work[i]! * v[i]!;
    for (let i = j + 1; i < n; i++) work[i] = tau * (work[i]! - 0.5 * tau * along * v[i]!);
    loops.update(j + 1, j);
  }
  return { diagonal, below };
}
