import { formatNumber } from '../lib/formatNumber.ts';

/**
 * A number on an axis, short: `250`, `12k`, `1.5M`, `0.002`, `1e-5`.
 * @param step Between the marks of the axis, so that all have the same decimals: `0.10`, `0.15`; 0: each as short as it can be.
 */
export function formatTick(value: number, step = 0): string {
  const size = Math.abs(value);
  if (size >= 1e9 || (size > 0 && size < 1e-3)) return value.toExponential().replace('e+', 'e');
  if (size >= 1e6) return `${short(value / 1e6, step / 1e6)}M`;
  if (size >= 1e4) return `${short(value / 1e3, step / 1e3)}k`;
  const decimals = decimalsOf(step);
  // the others have exponents
  if (value === 0 && decimals > MOST_DECIMALS) return '0';
  return decimals === 0 ? formatNumber(value) : fixed(value, decimals);
}

/** With more, numbers are written with an exponent. */
const MOST_DECIMALS = 3;

function short(value: number, step: number): string {
  const decimals = decimalsOf(step);
  const text = formatNumber(Number(value.toPrecision(3)));
  return decimals === 0 || decimals > 2 ? text : fixed(value, decimals);
}

function fixed(value: number, decimals: number): string {
  return value.toFixed(decimals).replace('-', '−');
}

/** Of a step of 1, 2, 3 or 5 times a power of ten. */
function decimalsOf(step: number): number {
  return step > 0 && step < 1 ? Math.min(8, Math.ceil(-Math.log10(step) - 1e-9)) : 0;
}

/** Labels of marks as short as they go together: `12.5k` and `15.0k` for `12,500` and `15,000`. */
export function shortLabels(labels: readonly string[]): string[] {
  const values = labels.map((label) => Number(label.replaceAll(',', '').replace('−', '-')));
  const steps = values.slice(1).map((value, index) => value - values[index]!);
  const [step = 0] = steps;
  const isEven = steps.every((one) => Math.abs(one - step) <= 1e-6 * Math.abs(step));
  const largest = Math.max(...values.map(Math.abs));
  return labels.map((label, index) => {
    const value = values[index]!;
    const size = Math.abs(value);
    // 5k beside 10k
    if (isEven && largest >= 1e4 && largest < 1e6 && size >= 1e3 && size < 1e4)
      return `${short(value / 1e3, step / 1e3)}k`;
    const isShort = value === 0 || (size >= 1e-3 && size < 1e4);
    return Number.isFinite(value) && !isShort ? formatTick(value, isEven ? Math.abs(step) : 0) : label;
  });
}
