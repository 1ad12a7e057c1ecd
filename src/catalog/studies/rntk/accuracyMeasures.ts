/** Measures of Table 1 over a table of accuracies (sets, classifiers); RNTK, Appendix A.3. */
export const MEASURES = ['mean', 'standard-deviation', 'p90', 'p95', 'pma', 'friedman-rank'] as const;
export type MeasureName = (typeof MEASURES)[number];

const average = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * One measure of the classifier of that column, shares as shares. Ties in ranks go to the smallest rank, with which alone the
 * printed table agrees (docs/errata.md, 5).
 */
export function accuracyMeasure(measure: MeasureName, table: readonly (readonly number[])[], column: number): number {
  const own = table.map((row) => row[column]!);
  const shares = table.map((row) => row[column]! / Math.max(...row));
  switch (measure) {
    case 'mean':
      return average(own);
    case 'standard-deviation':
      return Math.sqrt((average(own.map((value) => (value - average(own)) ** 2)) * own.length) / (own.length - 1));
    case 'p90':
      return average(shares.map((share) => Number(share >= 0.9)));
    case 'p95':
      return average(shares.map((share) => Number(share >= 0.95)));
    case 'pma':
      return average(shares);
    case 'friedman-rank':
      return average(table.map((row) => 1 + row.filter((value) => value > row[column]!).length));
  }
}
