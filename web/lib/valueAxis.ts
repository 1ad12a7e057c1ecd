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
  const values = isLog ? logTicks(low, high) : linearTicks(low, high);
  const labels = values.map((value) => formatNumber(value, DIGITS));
  const shown = isLog ? labels : alignedLabels(values, labels);
  return {
    place,
    textAt: (at) => formatNumber(back(from + at * (to - from)), DIGITS),
    ticks: values.map((value, index) => ({ place: place(value), label: shown[index]! })),
    categories: null,
  };
}

/** The labels with the same decimals: `0.219`, `0.220`; as they are where one has an exponent or is long. */
function alignedLabels(values: readonly number[], labels: readonly string[]): readonly string[] {
  const decimals = Math.max(...labels.map((label) => label.split('.')[1]?.length ?? 0));
  const isPlain = labels.every((label) => !/[e,]/.test(label));
  return isPlain && decimals > 0 ? values.map((value) => value.toFixed(decimals).replace('-', '−')) : labels;
}

/** Round numbers from `low` to `high`: multiples of 1, 2 or 5 times a power of ten. */
function linearTicks(low: number, high: number): number[] {
  if (!(high > low)) return [low];
  const rough = (high - low) / (MOST_TICKS - 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough) ?? 10 * power;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first) + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
}

/** Powers of ten, or of the first that fit where there are few: 1, 2, 5 times one. */
function logTicks(low: number, high: number): number[] {
  const [first, last] = [Math.floor(Math.log10(low) + 1e-9), Math.ceil(Math.log10(high) - 1e-9)];
  const inside = (value: number) => value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9);
  const clean = (value: number) => Number(value.toPrecision(6));
  const powers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const decades = powers.map((power) => clean(10 ** power)).filter(inside);
  if (decades.length > MOST_TICKS) {
    const stride = Math.ceil(decades.length / MOST_TICKS);
    return decades.filter((_, index) => index % stride === 0);
  }
  if (decades.length >= 3) return decades;
  const finer = powers.flatMap((power) => [1, 2, 5].map((factor) => clean(factor * 10 ** power))).filter(inside);
  return finer.length >= 2 ? finer : linearTicks(low, high);
}
