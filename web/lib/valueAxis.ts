import { formatNumber } from './formatNumber.ts';
import { formatValue } from './fieldText.ts';

/** Where values stand along an axis, 0 (low) to 1 (high). */
export interface ValueAxis {
  /** The place of a value; NaN where it has none. */
  place(value: unknown): number;
  /** The value at a place, in words. */
  textAt(place: number): string;
  ticks: readonly AxisTick[];
  /** Places are bands of equal width, one a category; null for numbers. */
  categories: number | null;
}

export interface AxisTick {
  place: number;
  label: string;
}

/** Numbers with four significant digits tell trials apart. */
export const DIGITS = 4;
const MOST_TICKS = 6;

/** An axis of categories: each has a band, and stands in its middle. */
export function categoryAxis(values: readonly unknown[]): ValueAxis {
  const keys = new Map(values.map((value, index) => [JSON.stringify(value), index]));
  const middle = (index: number) => (index + 0.5) / values.length;
  return {
    place(value) {
      const index = keys.get(JSON.stringify(value));
      return index === undefined ? Number.NaN : middle(index);
    },
    textAt: (place) => labelOf(values[Math.min(values.length - 1, Math.max(0, Math.floor(place * values.length)))]),
    ticks: values.map((value, index) => ({ place: middle(index), label: labelOf(value) })),
    categories: values.length,
  };
}

function labelOf(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'number' ? formatNumber(value, DIGITS) : formatValue(value);
}

/**
 * An axis of numbers from `low` to `high`, by their logarithms where `logarithmic` and both are above zero. One value alone
 * stands in the middle.
 */
export function numberAxis(low: number, high: number, { logarithmic = false } = {}): ValueAxis {
  const isLog = logarithmic && low > 0 && high > 0;
  const forward = isLog ? Math.log10 : (value: number) => value;
  const back = isLog ? (value: number) => 10 ** value : (value: number) => value;
  const [from, to] = [forward(low), forward(high)];
  const place = (value: unknown) => {
    if (typeof value !== 'number' || !Number.isFinite(value) || (isLog && value <= 0)) return Number.NaN;
    return to > from ? (forward(value) - from) / (to - from) : 0.5;
  };
  return {
    place,
    textAt: (at) => formatNumber(back(from + at * (to - from)), DIGITS),
    ticks: axisTicks(low, high, { isLog }).map(({ value, label }) => ({ place: place(value), label })),
    categories: null,
  };
}

/** Round numbers to mark on an axis, with their labels: at most so many where two of them are left. */
export function axisTicks(
  low: number,
  high: number,
  { isLog, most = MOST_TICKS }: { isLog: boolean; most?: number },
): { value: number; label: string }[] {
  const values = isLog ? logTicks(low, high, most) : linearTicks(low, high, most);
  const labels = values.map((value) => formatNumber(value, DIGITS));
  const shown = isLog ? labels : alignedLabels(values, labels);
  return values.map((value, index) => ({ value, label: shown[index]! }));
}

/** The labels with the same decimals: `0.219`, `0.220`; as they are where one has an exponent or is long. */
function alignedLabels(values: readonly number[], labels: readonly string[]): readonly string[] {
  const decimals = Math.max(...labels.map((label) => label.split('.')[1]?.length ?? 0));
  const isPlain = labels.every((label) => !/[e,]/.test(label));
  return isPlain && decimals > 0 ? values.map((value) => value.toFixed(decimals).replace('-', '−')) : labels;
}

/**
 * Round numbers from `low` to `high`: multiples of 1, 2 or 5 times a power of ten, as many as there are up to `most`; more, where
 * only one would be left.
 */
function linearTicks(low: number, high: number, most: number): number[] {
  if (!(high > low)) return [low];
  const power = 10 ** Math.floor(Math.log10((high - low) / most));
  const steps = [20, 10, 5, 2, 1].map((factor) => factor * power);
  const counts = steps.map((step) => Math.floor(high / step + 1e-9) - Math.ceil(low / step - 1e-9) + 1);
  const fitting = Math.max(
    0,
    counts.findLastIndex((count) => count <= most),
  );
  const [count = 0, finer = Number.POSITIVE_INFINITY] = counts.slice(fitting);
  const isTooFew = count < 2 || (count === 2 && finer === most + 1);
  const chosen = isTooFew && fitting + 1 < steps.length ? fitting + 1 : fitting;
  const step = steps[chosen]!;
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: counts[chosen]! }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

/** Powers of ten, of many every so many; of few also 2 and 5 times, or 3 times one; where none of them is left round numbers. */
function logTicks(low: number, high: number, most: number): number[] {
  const [first, last] = [Math.floor(Math.log10(low) + 1e-9), Math.ceil(Math.log10(high) - 1e-9)];
  const powers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const times = (factors: readonly number[]) =>
    powers
      .flatMap((power) => factors.map((factor) => Number((factor * 10 ** power).toPrecision(6))))
      .filter((value) => value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9));
  const decades = times([1]);
  if (decades.length > most) {
    const stride = Math.ceil(decades.length / most);
    return decades.filter((_, index) => index % stride === 0);
  }
  if (decades.length >= 3) return decades;
  const finer = [times([1, 2, 5]), times([1, 3]), decades].find(({ length }) => length >= 2 && length <= most);
  return finer ?? linearTicks(low, high, most);
}
