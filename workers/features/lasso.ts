import { badInput, WarrenError } from '#src/base/contracts/errors.ts';

export interface LassoSamples {
  /** (samples, width) Row-major. */
  features: ArrayLike<number>;
  width: number;
}

export interface LassoOptions {
  /** Weight α of Σ |w_d|. 0 is least squares. */
  penalty: number;
  /** Whether a constant is fitted too, unpenalised; on unless given. */
  intercept?: boolean;
  /** Ends when the duality gap is at most this part of |y|²; 1e-10 unless given. */
  tolerance?: number;
  maximumSweeps?: number;
  /** Coefficients to start from, such as those of a nearby penalty. */
  start?: Float64Array;
}

export interface LassoModel {
  coefficients: Float64Array;
  intercept: number;
  sweeps: number;
  /** Distance of the objective from its minimum is at most this. */
  gap: number;
}

/**
 * The lasso by coordinate descent: the minimum of 1/(2n) |y - Xw - b|² + α |w|₁ (Tibshirani 1996; Friedman, Hastie,
 * Tibshirani 2010), to a duality gap, so that the end is a certificate. The objective of scikit-learn's Lasso. Throws
 * BAD_INPUT for samples that do not fit together, RUN_FAILED where the gap was not reached.
 */
export function fitLasso(
  { features, width }: LassoSamples,
  targets: ArrayLike<number>,
  options: LassoOptions,
): LassoModel {
  const { penalty, intercept = true, tolerance = 1e-10, maximumSweeps = 100_000, start } = options;
  const n = targets.length;
  if (n === 0 || width < 1 || features.length !== n * width) {
    throw badInput(
      `${features.length} feature values in rows of ${width} and ${n} targets; expected a row a target`,
      'features',
    );
  }
  if (!(penalty >= 0)) throw badInput(`penalty ${penalty}; expected a number from 0`, 'penalty');
  const { columns, means } = centredColumns(features, { width, n, centre: intercept });
  const targetMean = intercept ? mean(targets) : 0;
  const residual = Float64Array.from({ length: n }, (_, i) => targets[i]! - targetMean);
  const total = dot(residual, residual);
  const y = residual.slice();
  const coefficients = start?.slice() ?? new Float64Array(width);
  for (let d = 0; d < width; d++) addScaled(residual, columns[d]!, -coefficients[d]!);
  const squares = columns.map((column) => dot(column, column));
  let gap = Number.POSITIVE_INFINITY;
  let sweeps = 0;
  while (sweeps < maximumSweeps) {
    for (let d = 0; d < width; d++) {
      if (squares[d] === 0) continue;
      const old = coefficients[d]!;
      const along = dot(columns[d]!, residual) + old * squares[d]!;
      const next = (Math.sign(along) * Math.max(0, Math.abs(along) - n * penalty)) / squares[d]!;
      if (next !== old) addScaled(residual, columns[d]!, old - next);
      coefficients[d] = next;
    }
    sweeps++;
    gap = dualityGap({ columns, residual, y, coefficients, penalty: n * penalty }) / n;
    if (gap <= (tolerance * total) / n) break;
  }
  if (!(gap <= (tolerance * total) / n)) {
    throw new WarrenError(
      'RUN_FAILED',
      `the lasso did not converge: after ${sweeps} sweeps the duality gap is ${gap.toExponential(2)}`,
    );
  }
  const constant = targetMean - coefficients.reduce((sum, w, d) => sum + w * means[d]!, 0);
  return { coefficients, intercept: intercept ? constant : 0, sweeps, gap };
}

function centredColumns(
  features: ArrayLike<number>,
  { width, n, centre }: { width: number; n: number; centre: boolean },
): { columns: Float64Array[]; means: number[] } {
  const means: number[] = [];
  const columns = Array.from({ length: width }, (_, d) => {
    const column = Float64Array.from({ length: n }, (_entry, i) => features[i * width + d]!);
    const middle = centre ? mean(column) : 0;
    means.push(middle);
    return column.map((value) => value - middle);
  });
  return { columns, means };
}

/** Gap of ½|r|² + λ|w|₁ and its dual at the residual, scaled to be feasible; at λ = 0 the largest |X'r| stands for it. */
function dualityGap({
  columns,
  residual,
  y,
  coefficients,
  penalty,
}: {
  columns: readonly Float64Array[];
  residual: Float64Array;
  y: Float64Array;
  coefficients: Float64Array;
  penalty: number;
}): number {
  let largest = 0;
  for (const column of columns) largest = Math.max(largest, Math.abs(dot(column, residual)));
  if (penalty === 0) return largest ** 2;
  const scale = Math.min(1, penalty / largest);
  const own = dot(residual, residual);
  const absolute = coefficients.reduce((sum, w) => sum + Math.abs(w), 0);
  const primal = own / 2 + penalty * absolute;
  const dual = scale * dot(residual, y) - (scale * scale * own) / 2;
  return Math.max(0, primal - dual);
}

function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum / values.length;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

function addScaled(to: Float64Array, from: Float64Array, factor: number): void {
  for (let i = 0; i < to.length; i++) to[i]! += factor * from[i]!;
}
