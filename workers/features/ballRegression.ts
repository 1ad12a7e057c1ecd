import { cholesky, solveTriangular } from '../math/dense/cholesky.ts';

/** What squared errors depend on: of features h (width) and answers y with y² = 1. */
export interface SecondMoments {
  /** (width, width) E[h h']. */
  second: Float64Array;
  /** (width) E[y h]. */
  cross: Float64Array;
  width: number;
}

/** E (⟨θ, h⟩ - y)²/4, which for |θ|, |h| ≤ 1 lies from 0 to 1 and has the Lipschitz constant 1 in ⟨θ, h⟩. */
export function quarterSquaredRisk({ second, cross, width }: SecondMoments, theta: Float64Array): number {
  let risk = 1;
  for (let a = 0; a < width; a++) {
    risk -= 2 * theta[a]! * cross[a]!;
    for (let b = 0; b < width; b++) risk += theta[a]! * second[a * width + b]! * theta[b]!;
  }
  return risk / 4;
}

/**
 * The θ with |θ| ≤ 1 of the least risk: (E[h h'] + λI) θ = E[y h] with the smallest λ ≥ 0 that leaves |θ| ≤ 1, by Newton's steps
 * on 1/|θ|, which rise to λ from below.
 */
export function fitOnUnitBall({ second, cross, width }: SecondMoments): Float64Array {
  let trace = 0;
  for (let a = 0; a < width; a++) trace += second[a * width + a]!;
  // moments of fewer samples than entries are singular
  let lambda = 1e-10 * trace;
  for (;;) {
    const shifted = second.slice();
    for (let a = 0; a < width; a++) shifted[a * width + a]! += lambda;
    const factor = cholesky(shifted, width);
    const half = solveTriangular(factor, width, { b: cross, width: 1, transposed: false });
    const theta = solveTriangular(factor, width, { b: half, width: 1, transposed: true });
    const norm = Math.hypot(...theta);
    if (norm <= 1 + 1e-9) return theta;
    const slope = Math.hypot(...solveTriangular(factor, width, { b: theta, width: 1, transposed: false }));
    lambda += (norm / slope) ** 2 * (norm - 1);
  }
}
