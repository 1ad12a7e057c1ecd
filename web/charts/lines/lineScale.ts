import { type AxisTick, axisTicks, numberAxis, type ValueAxis } from '#web/lib/valueAxis.ts';
import { countBeyond, plainRange, rangeWithoutOutliers } from '#web/lib/curves/plainRange.ts';
import { shortLabels } from '../formatTick.ts';
import { clockMarks, durationMarks } from '../timeTicks.ts';
import type { PlotCurve, PlotRange } from './plotCurve.ts';

export interface LineScaleOptions {
  logX: boolean;
  logY: boolean;
  xMin: number | null;
  xMax: number | null;
  yMin: number | null;
  yMax: number | null;
  /** Null: where a few values would flatten the rest. */
  ignoreOutliers: boolean | null;
  /** The part of x that is looked at; null: all. */
  zoom: PlotRange | null;
  /** x is Unix milliseconds. */
  isTime: boolean;
  /** x is seconds since a beginning. */
  isDuration: boolean;
}

export interface LineScale {
  x: ValueAxis;
  y: ValueAxis;
  xRange: PlotRange;
  yRange: PlotRange;
  logX: boolean;
  logY: boolean;
  isTime: boolean;
  isDuration: boolean;
  /** Curves that have values beyond the vertical axis, and those that have no others. */
  beyond: { some: number; wholly: number };
  /** Outliers are left out, or would be without a word: the reader may choose. */
  outliers: 'none' | 'shown' | 'left out';
}

/** The axes on which the curves are drawn: what is set of their ranges, the rest as the values need it. */
export function lineScale(curves: readonly PlotCurve[], options: LineScaleOptions): LineScale {
  const { zoom, logX, logY } = options;
  const xAll = extent(
    curves.map(({ x }) => x),
    logX,
  );
  const xRange = ordered(zoom?.low ?? options.xMin ?? xAll.low, zoom?.high ?? options.xMax ?? xAll.high);
  const inRange = curves.map((curve) => within(curve, xRange));
  const lines = inRange.map((columns) => columns.flat());
  const all = extent(inRange.flat(), logY);
  const plain = logY && options.ignoreOutliers !== true ? null : rangeWithout(lines, options.ignoreOutliers);
  const isPlain = plain !== null && !(logY && plain.low <= 0) && options.ignoreOutliers !== false;
  const used = isPlain ? plain : all;
  const margin = logY ? 0 : (used.high - used.low) * 0.04;
  const yRange = ordered(options.yMin ?? used.low - margin, options.yMax ?? used.high + margin);
  return {
    x: numberAxis(xRange.low, xRange.high, { logarithmic: logX }),
    y: numberAxis(yRange.low, yRange.high, { logarithmic: logY }),
    ...{ xRange, yRange, logX: logX && xRange.low > 0, logY: logY && yRange.low > 0 },
    ...{ isTime: options.isTime, isDuration: options.isDuration },
    beyond: isPlain || options.yMin !== null || options.yMax !== null ? countBeyond(inRange, yRange) : NOWHERE,
    outliers:
      plain === null || (options.yMin !== null && options.yMax !== null) ? 'none' : isPlain ? 'left out' : 'shown',
  };
}

const NOWHERE = { some: 0, wholly: 0 };

/** The range without outliers, by wish or where they flatten the rest; null where there are none. */
function rangeWithout(lines: readonly (readonly number[])[], wish: boolean | null): PlotRange | null {
  return wish === true ? rangeWithoutOutliers(lines) : plainRange(lines);
}

/** The values of a curve and of its band whose x lies in the range. */
function within({ x, y, low, high }: PlotCurve, range: PlotRange): (readonly number[])[] {
  const from = x.findIndex((place) => place >= range.low);
  if (from === -1) return [];
  let to = x.length;
  while (to > from && x[to - 1]! > range.high) to -= 1;
  const isWhole = from === 0 && to === x.length;
  return [y, low, high].flatMap((column) => (column === null ? [] : [isWhole ? column : column.slice(from, to)]));
}

/** From the smallest to the largest finite value, above zero where `positive`; 0 to 1 without any. */
function extent(lists: readonly (readonly number[])[], positive: boolean): PlotRange {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const list of lists) {
    for (const value of list) {
      if (!Number.isFinite(value) || (positive && value <= 0)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return low <= high ? { low, high } : { low: positive ? 1 : 0, high: positive ? 10 : 1 };
}

/** A range that is not empty. */
function ordered(low: number, high: number): PlotRange {
  if (low < high) return { low, high };
  const half = Math.abs(low) * 0.05 || 0.5;
  return { low: Math.min(low, high) - half, high: Math.max(low, high) + half };
}

/** Pixels along an axis that a mark with its label needs. */
const ACROSS = 72;
const DOWN = 26;
const FEWEST_MARKS = 3;
const MOST_MARKS = 10;

/** Marks of the horizontal axis with their words: times of day or dates, durations, or numbers; as many as there is room for. */
export function marksAcross({ x, xRange, logX, isTime, isDuration }: LineScale, room: number): AxisTick[] {
  const most = marksWithin(room, ACROSS);
  const marks = isTime
    ? clockMarks(xRange, most)
    : isDuration && !logX
      ? durationMarks(xRange, most)
      : shortMarks(xRange, { isLog: logX, most });
  const unit = isDuration && logX ? ' s' : '';
  return marks.map(({ value, label }) => ({ place: x.place(value), label: label + unit }));
}

/** Marks of the vertical axis with their words, as many as there is room for. */
export function marksUp({ y, yRange, logY }: LineScale, room: number): AxisTick[] {
  const marks = shortMarks(yRange, { isLog: logY, most: Math.min(7, marksWithin(room, DOWN)) });
  return marks.map(({ value, label }) => ({ place: y.place(value), label }));
}

function marksWithin(room: number, each: number): number {
  return Math.min(MOST_MARKS, Math.max(FEWEST_MARKS, Math.floor(room / each)));
}

function shortMarks({ low, high }: PlotRange, options: { isLog: boolean; most: number }) {
  const marks = axisTicks(low, high, options);
  const labels = shortLabels(marks.map(({ label }) => label));
  return marks.map(({ value }, index) => ({ value, label: labels[index]! }));
}
