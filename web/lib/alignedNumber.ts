import { alignedDecimals } from '#src/base/lib/groupedTable.ts';
import { formatNumber } from '#web/lib/formatNumber.ts';

/** The share of the greatest values that do not decide: one run that diverged must not take the others' digits away. */
const OUTLYING = 0.05;
const DIGITS = 4;

/**
 * Decimals with which the values of a column stand under each other, the great ones with four significant digits; null
 * where all are whole numbers.
 */
export function columnDecimals(values: readonly number[]): number | null {
  const finite = values.filter(Number.isFinite);
  if (finite.every(Number.isInteger)) return null;
  const sorted = finite.sort((a, b) => Math.abs(a) - Math.abs(b));
  return alignedDecimals(sorted.slice(0, Math.max(1, Math.ceil(sorted.length * (1 - OUTLYING)))));
}

/** A number with so many decimals; one that they would leave fewer than two digits, or give too many, in its own way. */
export function alignedNumber(value: number, decimals: number | null): string {
  if (decimals === null || !Number.isFinite(value)) return formatNumber(value);
  const size = Math.abs(value);
  // whole numbers of a run that diverged have more digits than the column has room for
  if (size >= 1e7)
    return value
      .toExponential(DIGITS - 1)
      .replace('-', '−')
      .replace('e+', 'e');
  if (size > 0 && size < 10 ** (1 - decimals)) return formatNumber(value, DIGITS);
  return value.toFixed(decimals).replace('-', '−');
}
