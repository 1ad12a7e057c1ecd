import { alignedDecimals } from '#src/base/lib/groupedTable.ts';
import { formatDigits } from './formatNumber.ts';

/**
 * How the numbers of a parameter are shown under each other: as somebody wrote them; each in four significant digits, where it has
 * more; or with so many decimals.
 */
export type ParameterDigits = 'written' | 'each' | number;

const DIGITS = 4;
/** Significant digits that common decimals must leave the smallest value: drawn over decades, values have none in common. */
const FEWEST_DIGITS = 3;

/** What suits the values of a column: `0.1` and `0.05` stay as they are, what a sweep drew has four digits. */
export function parameterDigits(values: readonly number[]): ParameterDigits {
  if (values.every(isShort)) return 'written';
  const decimals = alignedDecimals(values);
  const smallest = Math.min(...values.map(Math.abs).filter((size) => size > 0));
  return smallest >= 10 ** (FEWEST_DIGITS - 1 - decimals) ? decimals : 'each';
}

/** A number of a column with these digits. */
export function parameterText(value: number, digits: ParameterDigits): string {
  if (digits === 'written' || (digits === 'each' && isShort(value))) return JSON.stringify(value);
  if (digits === 'each') return formatDigits(value);
  return value.toFixed(digits).replace('-', '−');
}

function isShort(value: number): boolean {
  return !Number.isFinite(value) || Number.isInteger(value) || Number(value.toPrecision(DIGITS)) === value;
}
