import { assertNever } from '#src/base/lib/assertNever.ts';
import type { SmoothingKind } from '#src/base/contracts/workspace.ts';
import { smoothValues } from '../smoothValues.ts';

export interface Smoothing {
  kind: SmoothingKind;
  /** Weight of the moving averages, 0 to below 1; half width in points of the others. */
  amount: number;
}

/** Each smoothing with its formula, for people; `s` is the smoothed value at point t, `y` the value, `x` its place. */
export const SMOOTHING_FORMULAS: Readonly<Record<Exclude<SmoothingKind, 'none'>, string>> = {
  exponential:
    's_t = Σ β^(t−i) y_i / Σ β^(t−i), i ≤ t: moving average with the weight β, without bias at the start (TensorBoard)',
  timeWeighted:
    's_t = Σ β^(1000 (x_t−x_i)/range) y_i / Σ β^(…), i ≤ t: as exponential, by distance along x instead of by points (W&B), β the root of the weight',
  gaussian: 's_t = Σ exp(−(t−i)²/2σ²) y_i / Σ exp(…), |t−i| ≤ 3σ: normal kernel, σ in points',
  running: 's_t = mean of y_i, |t−i| ≤ w: mean of a window of 2w + 1 points, shorter at the ends',
};

/**
 * The values smoothed. Values that are not finite stay as they are, and enter no average.
 * @param x Places of the values, rising; only the time-weighted average looks at them.
 */
export function smoothCurve(x: ArrayLike<number>, y: readonly number[], { kind, amount }: Smoothing): number[] {
  if (kind === 'none' || amount <= 0) return [...y];
  switch (kind) {
    case 'exponential':
      return smoothValues(y, Math.min(amount, 0.999));
    case 'timeWeighted':
      return timeWeighted(x, y, Math.min(amount, 0.999));
    case 'gaussian':
      return gaussian(y, amount);
    case 'running':
      return running(y, Math.max(1, Math.round(amount)));
    default:
      return assertNever(kind);
  }
}

/** So many units stand for the whole range of x. */
const RANGE_UNITS = 1_000;

/** W&B's time weighted exponential moving average: docs.wandb.ai, "Smooth line plots", and its code beside it. */
function timeWeighted(x: ArrayLike<number>, y: readonly number[], weight: number): number[] {
  const range = (x[x.length - 1] ?? 0) - (x[0] ?? 0);
  const base = Math.min(Math.sqrt(weight), 0.999);
  let [sum, weights] = [0, 0];
  let before: number | null = null;
  return y.map((value, index) => {
    if (!Number.isFinite(value)) return value;
    const moved = before === null || range <= 0 ? 0 : ((x[index]! - before) / range) * RANGE_UNITS;
    const kept = base ** moved;
    before = x[index]!;
    sum = sum * kept + value;
    weights = weights * kept + 1;
    return sum / weights;
  });
}

function gaussian(y: readonly number[], sigma: number): number[] {
  const reach = Math.ceil(3 * sigma);
  const kernel = Array.from({ length: reach + 1 }, (_, away) => Math.exp((-away * away) / (2 * sigma * sigma)));
  return y.map((value, index) => {
    if (!Number.isFinite(value)) return value;
    let [sum, weights] = [0, 0];
    for (let i = Math.max(0, index - reach); i <= Math.min(y.length - 1, index + reach); i++) {
      if (!Number.isFinite(y[i])) continue;
      const weight = kernel[Math.abs(index - i)]!;
      sum += weight * y[i]!;
      weights += weight;
    }
    return sum / weights;
  });
}

function running(y: readonly number[], half: number): number[] {
  const sums = new Float64Array(y.length + 1);
  const counts = new Int32Array(y.length + 1);
  for (const [index, value] of y.entries()) {
    const counted = Number.isFinite(value);
    sums[index + 1] = sums[index]! + (counted ? value : 0);
    counts[index + 1] = counts[index]! + (counted ? 1 : 0);
  }
  return y.map((value, index) => {
    if (!Number.isFinite(value)) return value;
    const [from, to] = [Math.max(0, index - half), Math.min(y.length, index + half + 1)];
    return (sums[to]! - sums[from]!) / (counts[to]! - counts[from]!);
  });
}
