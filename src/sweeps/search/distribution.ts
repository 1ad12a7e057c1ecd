import { betaBelow, betaQuantile } from '#src/statistics/betaDistribution.ts';
import { normalBelow, normalQuantile } from '#src/statistics/normalQuantile.ts';
import { assertNever } from '#src/base/lib/assertNever.ts';
import { canonicalJson } from '#src/base/lib/stableHash.ts';

/** How numbers of a parameter are spread before they are rounded. */
export type Spread =
  | { type: 'uniform'; min: number; max: number }
  /** exp of a uniform number from `min` to `max`. */
  | { type: 'logUniform'; min: number; max: number }
  | { type: 'normal'; mu: number; sigma: number }
  /** exp of a normal number. */
  | { type: 'logNormal'; mu: number; sigma: number }
  | { type: 'beta'; a: number; b: number };

/** Numbers: those of the spread, rounded to multiples of `step` where there is one. */
export interface NumericDistribution {
  type: 'numeric';
  spread: Spread;
  /** Null for every real number. */
  step: number | null;
}

/** One of a list of JSON values, all alike likely where no probabilities are given. */
export interface CategoricalDistribution {
  type: 'categorical';
  values: readonly unknown[];
  /** They sum to 1. */
  probabilities: readonly number[];
}

export type Distribution = NumericDistribution | CategoricalDistribution;

/** Keeps 0 and 1, which no draw is exactly, from becoming infinite. */
const INSIDE = 2 ** -53;

/** The value below which the share `unit` (0 to 1) of the distribution lies; of categories, the one whose part holds it. */
export function valueAt(distribution: Distribution, unit: number): unknown {
  if (distribution.type === 'categorical') return distribution.values[categoryAt(distribution, unit)];
  const { spread, step } = distribution;
  const raw = spreadQuantile(spread, Math.min(1 - INSIDE, Math.max(INSIDE, unit)));
  if (step === null) return raw;
  const ends = multiples(distribution);
  const count = Math.round(raw / step);
  return multipleOf(step, ends === null ? count : Math.min(ends.last, Math.max(ends.first, count)));
}

/** The place of the category whose part of [0, 1) holds `unit`. */
export function categoryAt({ probabilities }: CategoricalDistribution, unit: number): number {
  let below = 0;
  for (const [index, probability] of probabilities.entries()) {
    below += probability;
    if (unit < below) return index;
  }
  // rounding left the last part short of 1; a category that is never drawn is not drawn here either
  return probabilities.findLastIndex((probability) => probability > 0);
}

/** The place of `value` among the categories; -1 where it is none. */
export function categoryOf({ values }: Pick<CategoricalDistribution, 'values'>, value: unknown): number {
  const places = placesOf.get(values) ?? new Map(values.map((other, place) => [canonicalJson(other), place]));
  placesOf.set(values, places);
  return places.get(canonicalJson(value)) ?? -1;
}

const placesOf = new WeakMap<readonly unknown[], ReadonlyMap<string, number>>();

/** The part of [0, 1] that rounds to `value`; a point where nothing is rounded. Values outside count as the nearest end. */
export function unitCell({ spread, step }: NumericDistribution, value: number): { low: number; high: number } {
  if (step === null) {
    const unit = spreadBelow(spread, value);
    return { low: unit, high: unit };
  }
  const multiple = Math.round(value / step);
  return { low: spreadBelow(spread, (multiple - 0.5) * step), high: spreadBelow(spread, (multiple + 0.5) * step) };
}

/** The whole multiples of `step` that can be drawn, from first to last; null where they have no end, or are not stepped. */
export function multiples({ spread, step }: NumericDistribution): { first: number; last: number } | null {
  if (step === null || spread.type === 'normal' || spread.type === 'logNormal') return null;
  const [low, high] =
    spread.type === 'beta'
      ? [0, 1]
      : spread.type === 'logUniform'
        ? [Math.exp(spread.min), Math.exp(spread.max)]
        : [spread.min, spread.max];
  const first = Math.round(low / step);
  // an integer's spread ends half a step behind its last value, which no draw reaches
  const last = Math.ceil(high / step - 0.5);
  return { first, last: Math.max(first, last) };
}

/** `count` steps, without the last digits that binary fractions add. */
export function multipleOf(step: number, count: number): number {
  return Number.isInteger(step) ? step * count + 0 : Number((step * count).toPrecision(12)) + 0;
}

function spreadQuantile(spread: Spread, unit: number): number {
  switch (spread.type) {
    case 'uniform':
      return spread.min + unit * (spread.max - spread.min);
    case 'logUniform':
      return Math.exp(spread.min + unit * (spread.max - spread.min));
    case 'normal':
      return spread.mu + spread.sigma * normalQuantile(unit);
    case 'logNormal':
      return Math.exp(spread.mu + spread.sigma * normalQuantile(unit));
    case 'beta':
      return betaQuantile(unit, spread);
    default:
      return assertNever(spread);
  }
}

/** The share of the spread below `value`. */
function spreadBelow(spread: Spread, value: number): number {
  switch (spread.type) {
    case 'uniform':
      return share(value, spread);
    case 'logUniform':
      return value <= 0 ? 0 : share(Math.log(value), spread);
    case 'normal':
      return normalBelow((value - spread.mu) / spread.sigma);
    case 'logNormal':
      return value <= 0 ? 0 : normalBelow((Math.log(value) - spread.mu) / spread.sigma);
    case 'beta':
      return betaBelow(value, spread);
    default:
      return assertNever(spread);
  }
}

function share(value: number, { min, max }: { min: number; max: number }): number {
  if (max <= min) return 0.5;
  return Math.min(1, Math.max(0, (value - min) / (max - min)));
}
