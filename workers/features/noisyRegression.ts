import { cholesky, solveTriangular } from '../math/dense/cholesky.ts';
import type { RandomGenerator } from '../math/random/randomGenerator.ts';
import { fitLasso } from './lasso.ts';

/** Setting C3 of Featurizing Pretrained Representations: y = ⟨θ*, h⟩ exactly, seen through ĥ = h + ε. */
export interface NoisyRegressionCase {
  /** Length d of h ~ N(0, σ_h² I). */
  dimension: number;
  /** Entries q of θ* that are not 0; |θ*| = 1. */
  sparsity: number;
  samples: number;
  sigmaH: number;
  /** ε ~ N(0, σ_ε² I). */
  sigmaE: number;
}

/** Mean of |θ̂ - θ*|² over trials, and its standard error. */
export interface SquaredError {
  mean: number;
  standardError: number;
}

export interface NoisyRegressionErrors {
  /** Least squares on the support of θ*, over κ. */
  support: SquaredError;
  /** Least squares on all entries, over κ; null for fewer than d + 2 samples. */
  full: SquaredError | null;
  /** The lasso with the penalty τ s √(2 ln d / n) of residuals' deviation τ and features' s, over κ. */
  lasso: SquaredError;
}

/** (σ_ε²/σ_h²) (q/n) ln(d/q): Proposition 3's bound for the squared norm (docs/errata.md, 27) with the constant 1. */
export function noisyRegressionScale({ dimension, sparsity, samples, sigmaH, sigmaE }: NoisyRegressionCase): number {
  return ((sigmaE / sigmaH) ** 2 * sparsity * Math.log(dimension / sparsity)) / samples;
}

/**
 * Errors of estimators of θ* from ĥ over `trials`. All are divided by κ = σ_h²/(σ_h² + σ_ε²), to which noise in the features
 * shrinks every regression.
 */
export function noisyRegressionErrors(
  one: NoisyRegressionCase,
  trials: number,
  generator: RandomGenerator,
): NoisyRegressionErrors {
  const { dimension: d, sparsity: q, samples: n, sigmaH, sigmaE } = one;
  const kappa = sigmaH ** 2 / (sigmaH ** 2 + sigmaE ** 2);
  const truth = Float64Array.from({ length: d }, (_, k) => (k < q ? 1 / Math.sqrt(q) : 0));
  const errors: { support: number[]; full: number[]; lasso: number[] } = { support: [], full: [], lasso: [] };
  const residual = sigmaH * Math.sqrt(1 - kappa);
  const penalty = residual * Math.hypot(sigmaH, sigmaE) * Math.sqrt((2 * Math.log(d)) / n);
  for (let trial = 0; trial < trials; trial++) {
    const seen = new Float64Array(n * d);
    const y = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < d; k++) {
        const h = sigmaH * generator.normal();
        y[i]! += truth[k]! * h;
        seen[i * d + k] = h + sigmaE * generator.normal();
      }
    }
    const off = (found: Float64Array): number =>
      truth.reduce((sum, value, k) => sum + ((found[k] ?? 0) / kappa - value) ** 2, 0);
    errors.support.push(off(leastSquares(seen, y, { width: d, columns: q })));
    if (n > d + 1) errors.full.push(off(leastSquares(seen, y, { width: d, columns: d })));
    const options = { penalty, intercept: false, tolerance: 1e-6 };
    errors.lasso.push(off(fitLasso({ features: seen, width: d }, y, options).coefficients));
  }
  return {
    support: summary(errors.support),
    full: errors.full.length > 0 ? summary(errors.full) : null,
    lasso: summary(errors.lasso),
  };
}

/** Least squares on the first `columns` columns, by the normal equations. */
function leastSquares(
  x: Float64Array,
  y: Float64Array,
  { width, columns }: { width: number; columns: number },
): Float64Array {
  const gram = new Float64Array(columns * columns);
  const right = new Float64Array(columns);
  for (let i = 0; i < y.length; i++) {
    for (let a = 0; a < columns; a++) {
      const value = x[i * width + a]!;
      right[a]! += value * y[i]!;
      for (let b = 0; b <= a; b++) gram[a * columns + b]! += value * x[i * width + b]!;
    }
  }
  const factor = cholesky(gram, columns);
  const half = solveTriangular(factor, columns, { b: right, width: 1, transposed: false });
  return solveTriangular(factor, columns, { b: half, width: 1, transposed: true });
}

function summary(values: readonly number[]): SquaredError {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, n - 1);
  return { mean, standardError: Math.sqrt(variance / n) };
}
