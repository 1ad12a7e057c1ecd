import { formatCount } from '#web/lib/formatNumber.ts';

/** Values by whether a chart has a place for them. */
export interface ValueCounts {
  finite: number;
  /** Of the finite ones those that are not above zero. */
  notPositive: number;
  nan: number;
  infinite: number;
  negativeInfinite: number;
}

export function countValues(lists: readonly (readonly number[])[]): ValueCounts {
  const counts = { finite: 0, notPositive: 0, nan: 0, infinite: 0, negativeInfinite: 0 };
  for (const list of lists) {
    for (const value of list) {
      if (Number.isNaN(value)) counts.nan += 1;
      else if (value === Number.POSITIVE_INFINITY) counts.infinite += 1;
      else if (value === Number.NEGATIVE_INFINITY) counts.negativeInfinite += 1;
      else {
        counts.finite += 1;
        if (value <= 0) counts.notPositive += 1;
      }
    }
  }
  return counts;
}

/** Why a chart has nothing to draw, with the numbers of its values; null where there is a value to draw, or none at all. */
export function whyNothing(counts: ValueCounts, logarithmic: boolean): string | null {
  const { finite, notPositive } = counts;
  const text = notFiniteText(counts);
  if (finite === 0) return text === '' ? null : `No value is finite: ${text}.`;
  if (!logarithmic || notPositive < finite) return null;
  return `No value is above zero, and the axis is logarithmic: ${formatCount(notPositive)} of 0 or less${text === '' ? '' : `, ${text}`}.`;
}

/** `12 NaN, 3 ∞`; empty where all values are finite. */
function notFiniteText({ nan, infinite, negativeInfinite }: ValueCounts): string {
  const parts = [[nan, 'NaN'] as const, [infinite, '∞'] as const, [negativeInfinite, '−∞'] as const];
  return parts.flatMap(([count, word]) => (count === 0 ? [] : [`${formatCount(count)} ${word}`])).join(', ');
}
