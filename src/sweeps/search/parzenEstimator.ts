import { normalBelow, normalQuantile } from '#src/statistics/normalQuantile.ts';

/**
 * The mixture of products that Optuna 5's multivariate TPE makes of observations (`_tpe/parzen_estimator.py`): a kernel for
 * each, and one of the prior. Numbers lie in [0, 1] by their prior's distribution function, so that their prior is uniform.
 */

/** What one parameter contributes. */
export type ParzenAxis =
  /** `observed` lie in [0, 1]; `cellOf` gives the part of [0, 1] that rounds to the same value, null where none does. */
  | { type: 'numeric'; observed: readonly number[]; cellOf: ((unit: number) => Cell) | null }
  /** `observed` are places among the categories; `prior` are the categories' probabilities. */
  | { type: 'categorical'; observed: readonly number[]; prior: readonly number[] };

export interface Cell {
  low: number;
  high: number;
}

/** Coordinates of a candidate: in [0, 1], or the place of a category. */
export type Coordinates = readonly number[];

export interface ParzenEstimator {
  sample(random: () => number): Coordinates;
  logDensity(at: Coordinates): number;
}

const PRIOR_WEIGHT = 1;
/** The newest so many observations count fully, older ones less and less. */
const FULL_WEIGHTS = 25;
const LEAST_MASS = 1e-300;
/** In a cell narrower than this part of a kernel's width the density hardly changes: its middle stands for it. */
const NARROW = 0.1;

/** Optuna's `default_weights`: observations in order of their trials, the newest last. */
function recencyWeights(count: number): number[] {
  if (count < FULL_WEIGHTS) return new Array(count).fill(1);
  const ramp = count - FULL_WEIGHTS;
  const step = ramp > 1 ? (1 - 1 / count) / (ramp - 1) : 0;
  return Array.from({ length: count }, (_, index) => (index < ramp ? 1 / count + index * step : 1));
}

/**
 * @param axes One a parameter; all have the same number of observations, in the order of their trials.
 * @param count Observations; 0 leaves the prior alone.
 */
export function parzenEstimator(axes: readonly ParzenAxis[], count: number): ParzenEstimator {
  const weights = [...recencyWeights(count), PRIOR_WEIGHT];
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const logWeights = weights.map((weight) => Math.log(weight / total));
  const kernels = axes.map((axis) => (axis.type === 'numeric' ? numericKernels(axis) : categoricalKernels(axis)));
  return {
    sample(random) {
      const kernel = pick(weights, random() * total);
      return kernels.map((axis) => axis.sample(kernel, random()));
    },
    logDensity(at) {
      const sums = Float64Array.from(logWeights);
      for (const [axis, value] of at.entries()) kernels[axis]!.addLogDensities(value, sums);
      const largest = sums.reduce((most, sum) => Math.max(most, sum), Number.NEGATIVE_INFINITY);
      return largest + Math.log(sums.reduce((sum, value) => sum + Math.exp(value - largest), 0));
    },
  };
}

/** The kernels of all observations, and behind them the prior's, in one parameter. */
interface AxisKernels {
  sample(kernel: number, unit: number): number;
  /** Adds each kernel's log density at `value` to its sum. */
  addLogDensities(value: number, sums: Float64Array): void;
}

function pick(weights: readonly number[], target: number): number {
  let below = 0;
  for (const [index, weight] of weights.entries()) {
    below += weight;
    if (target < below) return index;
  }
  return weights.length - 1;
}

/**
 * How wide the kernel of each observation is: as far as the farther of its neighbours (the outermost know but one), at most
 * the whole range, and not so narrow that few observations hide the rest.
 */
function kernelWidths(observed: readonly number[]): number[] {
  const count = observed.length;
  const narrowest = 1 / Math.min(100, count + 2);
  const order = observed.map((_, index) => index).sort((a, b) => observed[a]! - observed[b]! || a - b);
  const widths = new Array<number>(count);
  for (const [rank, index] of order.entries()) {
    const center = observed[index]!;
    const left = rank === 0 ? (count === 1 ? center : 0) : center - observed[order[rank - 1]!]!;
    const right = rank === count - 1 ? (count === 1 ? 1 - center : 0) : observed[order[rank + 1]!]! - center;
    widths[index] = Math.min(1, Math.max(narrowest, left, right));
  }
  return widths;
}

/** Normal distributions cut off at 0 and 1; the prior's is 1 wide around the middle. */
function numericKernels({ observed, cellOf }: Extract<ParzenAxis, { type: 'numeric' }>): AxisKernels {
  const count = observed.length;
  const centers = [...observed, 0.5];
  const widths = [...kernelWidths(observed), 1];
  const lows = centers.map((center, index) => normalBelow(-center / widths[index]!));
  const masses = centers.map((center, index) => normalBelow((1 - center) / widths[index]!) - lows[index]!);
  const logScales = masses.map((mass, index) => Math.log(mass * widths[index]! * Math.sqrt(2 * Math.PI)));
  return {
    sample(kernel, unit) {
      const z = normalQuantile(Math.min(1, lows[kernel]! + unit * masses[kernel]!));
      const drawn = Math.min(1, Math.max(0, centers[kernel]! + widths[kernel]! * z));
      if (cellOf === null) return drawn;
      const { low, high } = cellOf(drawn);
      return (low + high) / 2;
    },
    addLogDensities(value, sums) {
      if (cellOf === null) {
        for (let kernel = 0; kernel <= count; kernel++) {
          const z = (value - centers[kernel]!) / widths[kernel]!;
          sums[kernel]! -= 0.5 * z * z + logScales[kernel]!;
        }
        return;
      }
      const { low, high } = cellOf(value);
      for (let kernel = 0; kernel <= count; kernel++) {
        const center = centers[kernel]!;
        const width = widths[kernel]!;
        if (high - low < NARROW * width) {
          const z = ((low + high) / 2 - center) / width;
          sums[kernel]! += Math.log(high - low) - 0.5 * z * z - logScales[kernel]!;
        } else {
          const mass = normalBelow((high - center) / width) - normalBelow((low - center) / width);
          sums[kernel]! += Math.log(Math.max(mass, LEAST_MASS) / masses[kernel]!);
        }
      }
    },
  };
}

/** Each observation's category has the weight 1 more than what its kernel takes of the prior. */
function categoricalKernels({ observed, prior }: Extract<ParzenAxis, { type: 'categorical' }>): AxisKernels {
  const count = observed.length;
  const share = (PRIOR_WEIGHT * prior.length) / (count + 1);
  const own = 1 / (1 + share);
  const mass = (kernel: number, category: number): number => {
    const spread = prior[category]!;
    if (kernel === count) return spread;
    return (1 - own) * spread + (observed[kernel] === category ? own : 0);
  };
  return {
    sample(kernel, unit) {
      const masses = prior.map((_, category) => mass(kernel, category));
      return pick(masses, unit);
    },
    addLogDensities(value, sums) {
      const other = Math.log(Math.max((1 - own) * prior[value]!, LEAST_MASS));
      const same = Math.log((1 - own) * prior[value]! + own);
      for (let kernel = 0; kernel < count; kernel++) sums[kernel]! += observed[kernel] === value ? same : other;
      sums[count]! += Math.log(Math.max(prior[value]!, LEAST_MASS));
    },
  };
}
