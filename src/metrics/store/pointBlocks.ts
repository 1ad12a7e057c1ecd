import type { NewPoints } from './pointColumns.ts';

/** Points of a block at most, as `pack_points` has it: their values fill one piece of PostgreSQL's storage for what is long. */
export const BLOCK_POINTS = 240;
/** Fewer points of a series are written as rows, and packed when there are more. */
const FEWEST = 100;
/** Of `metric_block.times`. */
const LONGEST_MS = 24 * 24 * 3600 * 1000;

/** Columns of `metric_block`, an entry a block, with the points of all in `steps`, `values` and `times`. */
export interface NewBlocks {
  /** Counts the metrics from 1. */
  series: number[];
  points: number[];
  firstSteps: number[];
  lastSteps: number[];
  /** Between two steps; 0 where they are not equally far apart. */
  strides: number[];
  /** Of the finite values; NaN where there is none. */
  minima: number[];
  maxima: number[];
  lastValues: number[];
  /** The least time of each, and that of its last point. */
  firstTimes: number[];
  lastTimes: number[];
  /** Above the first step of the block. */
  steps: number[];
  values: number[];
  /** Milliseconds after the first time of the block. */
  times: number[];
}

function noBlocks(): NewBlocks {
  return {
    ...{ series: [], points: [], firstSteps: [], lastSteps: [], strides: [], minima: [], maxima: [], lastValues: [] },
    ...{ firstTimes: [], lastTimes: [], steps: [], values: [], times: [] },
  };
}

/**
 * Parts points into those of series that come in step order and are many, in blocks, and the others, as they are.
 * @param keptAsRows Series, counted from 1, that make no blocks.
 */
export function partBlocks(
  points: NewPoints,
  keptAsRows: ReadonlySet<number> = new Set(),
): { blocks: NewBlocks; loose: NewPoints } {
  const blocks = noBlocks();
  if (points.steps.length < FEWEST) return { blocks, loose: points };
  const loose: NewPoints = { names: points.names, series: [], steps: [], values: [], times: [] };
  const places: number[][] = points.names.map(() => []);
  for (const [place, series] of points.series.entries()) places[series - 1]!.push(place);
  places.forEach((ofSeries, index) => {
    const series = index + 1;
    if (ofSeries.length >= FEWEST && !keptAsRows.has(series) && fits(points, ofSeries)) {
      for (let from = 0; from < ofSeries.length; from += BLOCK_POINTS) {
        addBlock(blocks, series, points, ofSeries.slice(from, from + BLOCK_POINTS));
      }
      return;
    }
    for (const place of ofSeries) {
      loose.series.push(series);
      loose.steps.push(points.steps[place]!);
      loose.values.push(points.values[place]!);
      loose.times.push(points.times[place]!);
    }
  });
  return { blocks, loose };
}

/** Whether steps grow from point to point, and times are near each other. */
function fits({ steps, times }: NewPoints, places: readonly number[]): boolean {
  let earliest = Number.POSITIVE_INFINITY;
  let latest = Number.NEGATIVE_INFINITY;
  let before = Number.NEGATIVE_INFINITY;
  for (const place of places) {
    const step = steps[place]!;
    if (step <= before) return false;
    before = step;
    earliest = Math.min(earliest, times[place]!);
    latest = Math.max(latest, times[place]!);
  }
  return latest - earliest < LONGEST_MS;
}

function addBlock(blocks: NewBlocks, series: number, points: NewPoints, places: readonly number[]): void {
  const firstStep = points.steps[places[0]!]!;
  const last = places.at(-1)!;
  const lastStep = points.steps[last]!;
  let stride = places.length === 1 ? 1 : (lastStep - firstStep) / (places.length - 1);
  let [minimum, maximum, firstTime] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  places.forEach((place, index) => {
    if (points.steps[place]! - firstStep !== index * stride) stride = 0;
    firstTime = Math.min(firstTime, points.times[place]!);
    const value = points.values[place]!;
    if (!Number.isFinite(value)) return;
    minimum = Math.min(minimum, value);
    maximum = Math.max(maximum, value);
  });
  blocks.series.push(series);
  blocks.points.push(places.length);
  blocks.firstSteps.push(firstStep);
  blocks.lastSteps.push(lastStep);
  blocks.strides.push(stride);
  blocks.minima.push(minimum === Number.POSITIVE_INFINITY ? Number.NaN : minimum);
  blocks.maxima.push(maximum === Number.NEGATIVE_INFINITY ? Number.NaN : maximum);
  blocks.lastValues.push(points.values[last]!);
  blocks.firstTimes.push(firstTime);
  blocks.lastTimes.push(points.times[last]!);
  for (const place of places) {
    blocks.steps.push(points.steps[place]! - firstStep);
    blocks.values.push(points.values[place]!);
    blocks.times.push(points.times[place]! - firstTime);
  }
}
