import { outlierRange, quantile } from './outlierRange.ts';

/** Part of the points of one curve that may lie beyond each end; with `FEWEST` points one may. */
const TAIL = 0.02;
const FEWEST = 8;
/** Left out are only values that make the axis so many times as long as the others need. */
const FLATTENED = 8;
/** Curves so many times as far away as the others are no part of them, where outliers are left out by wish. */
const APART = 3;
/** Part of the curves that may lie wholly beyond the axis without a wish: more of them are no outliers. */
const WHOLLY = 0.2;
/** A curve alone begins steadily where none of its first values is so many times as large as another. */
const STEADY = 3;
/** It has diverged where it ends so many times as far away as it was. */
const DIVERGED = 1e6;
/** Values that are sorted, of very many every so many. */
const SAMPLED = 20_000;

export interface ValueRange {
  low: number;
  high: number;
}

/**
 * The range of a vertical axis that a few huge values would make so long that the other curves lie flat upon each other: a run that
 * diverges, a first point far off. Null where no value does so, or where none can be told from the others.
 * @param curves The values of each.
 */
export function plainRange(curves: readonly (readonly number[])[]): ValueRange | null {
  return usualRange(curves) ?? (curves.length === 1 ? rangeBeforeDivergence(curves[0]!) : null);
}

function usualRange(curves: readonly (readonly number[])[]): ValueRange | null {
  const { all, usual, core } = usualCurves(curves, FLATTENED);
  if (core === null || all === null) return null;
  const span = spanOf(core);
  const range = extentOf(usual, { low: core.low - FLATTENED * span, high: core.high + FLATTENED * span });
  if (range === null || all.high - all.low <= FLATTENED * spanOf(range)) return null;
  const beyond = curves.filter((values) => extentOf([values]) !== null && extentOf([values], range) === null).length;
  return beyond > WHOLLY * curves.length ? null : range;
}

/** The range of a curve alone that begins steadily and ends beyond all measure; null for others. */
function rangeBeforeDivergence(values: readonly number[]): ValueRange | null {
  const begin = values.filter(Number.isFinite).slice(0, FEWEST);
  const sizes = begin.map(Math.abs);
  if (begin.length < FEWEST || Math.max(...sizes) > STEADY * Math.min(...sizes)) return null;
  const [first, all] = [extentOf([begin]), extentOf([values])];
  if (first === null || all === null) return null;
  const span = spanOf(first);
  const range = extentOf([values], { low: first.low - FLATTENED * span, high: first.high + FLATTENED * span });
  return range === null || all.high - all.low <= DIVERGED * spanOf(range) ? null : range;
}

/** From the 1st to the 99th percentile of the curves that do not lie far from most; null without values. */
export function rangeWithoutOutliers(curves: readonly (readonly number[])[]): ValueRange | null {
  return outlierRange(usualCurves(curves, APART).usual);
}

/** The curves that do not make the range of those nearest to the middle `times` as long, with the range of these. */
function usualCurves(curves: readonly (readonly number[])[], times: number) {
  const most = Math.max(FEWEST, Math.ceil(SAMPLED / Math.max(1, curves.length)));
  const reaches = curves.flatMap((values) => {
    const reach = reachOf(values, most);
    return reach === null ? [] : [{ values, ...reach }];
  });
  const all = extentOf(curves);
  if (reaches.length === 0) return { all, usual: [], core: null };
  const middle = quantile(Float64Array.from(reaches.map((reach) => reach.middle)).sort(), 0.5);
  const away = (reach: ValueRange) => Math.max(Math.abs(reach.high - middle), Math.abs(reach.low - middle));
  const ordered = reaches.sort((a, b) => away(a) - away(b));
  let core = union(ordered.slice(0, Math.ceil(ordered.length / 2)));
  let count = Math.ceil(ordered.length / 2);
  for (; count < ordered.length; count += 1) {
    const wider = union([core, ordered[count]!]);
    if (spanOf(wider) > times * spanOf(core)) break;
    core = wider;
  }
  return { all, usual: ordered.slice(0, count).map(({ values }) => values), core };
}

/** Between which values a curve goes for most of its way; null without a finite value. */
function reachOf(values: readonly number[], most: number): (ValueRange & { middle: number }) | null {
  const stride = Math.max(1, Math.ceil(values.length / most));
  const sorted = Float64Array.from(
    values.filter((value, index) => index % stride === 0 && Number.isFinite(value)),
  ).sort();
  if (sorted.length === 0) return null;
  const left = sorted.length < FEWEST ? 0 : Math.max(1, Math.floor(TAIL * sorted.length));
  return { low: sorted[left]!, high: sorted[sorted.length - 1 - left]!, middle: quantile(sorted, 0.5) };
}

/** The length of a range, at least half as long as it is far from zero: a small difference of large values is no measure. */
function spanOf({ low, high }: ValueRange): number {
  return Math.max(high - low, Math.max(Math.abs(low), Math.abs(high)) / 2);
}

function union(ranges: readonly ValueRange[]): ValueRange {
  return { low: Math.min(...ranges.map(({ low }) => low)), high: Math.max(...ranges.map(({ high }) => high)) };
}

/** From the smallest to the largest finite value, of those within a range; null without any. */
function extentOf(
  lists: readonly (readonly number[])[],
  within: ValueRange = { low: -Number.MAX_VALUE, high: Number.MAX_VALUE },
): ValueRange | null {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const list of lists) {
    for (const value of list) {
      if (!(value >= within.low && value <= within.high)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return low <= high ? { low, high } : null;
}

/** How many curves have a value beyond a range, and how many of them all of their values. */
export function countBeyond(
  curves: readonly (readonly (readonly number[])[])[],
  range: ValueRange,
): { some: number; wholly: number } {
  let [some, wholly] = [0, 0];
  for (const lists of curves) {
    const isBeyond = (value: number) => Number.isFinite(value) && (value < range.low || value > range.high);
    if (!lists.some((list) => list.some(isBeyond))) continue;
    some += 1;
    if (extentOf(lists.slice(0, 1), range) === null) wholly += 1;
  }
  return { some, wholly };
}

/** `2 curves go beyond the axis, 1 of them wholly`; null where none does. */
export function beyondText({ some, wholly }: { some: number; wholly: number }): string | null {
  if (some === 0) return null;
  if (some === 1) return wholly === 1 ? '1 curve lies beyond the axis' : '1 curve goes beyond the axis';
  if (wholly === some) return `${some} curves lie beyond the axis`;
  return `${some} curves go beyond the axis${wholly === 0 ? '' : `, ${wholly} of them wholly`}`;
}
