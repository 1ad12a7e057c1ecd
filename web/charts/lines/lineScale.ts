import { numberAxis, type ValueAxis } from '#web/lib/valueAxis.ts';
import { countBeyond, plainRange, rangeWithoutOutliers } from '#web/lib/curves/plainRange.ts';
import { shortLabels } from '../formatTick.ts';
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
}

export interface LineScale {
  x: ValueAxis;
  y: ValueAxis;
  xRange: PlotRange;
  yRange: PlotRange;
  logX: boolean;
  logY: boolean;
  isTime: boolean;
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
    ...{ xRange, yRange, logX: logX && xRange.low > 0, logY: logY && yRange.low > 0, isTime: options.isTime },
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

const MINUTE = 60_000;
const UNITS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440, 2_880, 7_200, 14_400, 43_200, 129_600, 525_600];

/** Marks of an axis with their words: times of day, or dates, where it is one of time. */
export function axisMarks(axis: ValueAxis, range: PlotRange, { isTime, room }: { isTime: boolean; room: number }) {
  if (!isTime) {
    const labels = shortLabels(axis.ticks.map(({ label }) => label));
    return axis.ticks.map(({ place }, index) => ({ place, label: labels[index]! }));
  }
  const most = Math.max(2, room / 80);
  const unit =
    (UNITS.find((minutes) => (range.high - range.low) / (minutes * MINUTE) <= most) ?? UNITS.at(-1)!) * MINUTE;
  const offset = new Date(range.low).getTimezoneOffset() * MINUTE;
  const marks: { place: number; label: string }[] = [];
  for (let time = Math.ceil((range.low - offset) / unit) * unit + offset; time <= range.high; time += unit) {
    const date = new Date(time);
    const label =
      unit >= 1_440 * MINUTE
        ? date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })
        : date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
    marks.push({ place: axis.place(time), label });
  }
  return marks;
}
