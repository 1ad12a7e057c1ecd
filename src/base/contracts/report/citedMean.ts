import { alignedDecimals, meanText } from '#src/base/lib/groupedTable.ts';

/**
 * The mean of a metric over cited runs with its standard deviation (of a sample) and how many runs have it: `0.0271 ± 0.0004 (3)`,
 * `0.0271 ± 0.0004 (2 of 3)` where one lacks it; null where all do.
 * @param values Of each run, null where it has none.
 */
export function citedMean(values: readonly (number | null)[]): string | null {
  const found = values.filter((value) => value !== null);
  if (found.length === 0) return null;
  const mean = found.reduce((sum, value) => sum + value, 0) / found.length;
  const squares = found.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const deviation = found.length < 2 ? null : Math.sqrt(squares / (found.length - 1));
  const count = found.length === values.length ? `${found.length}` : `${found.length} of ${values.length}`;
  return `${meanText(mean, deviation, alignedDecimals([mean]))} (${count})`;
}
