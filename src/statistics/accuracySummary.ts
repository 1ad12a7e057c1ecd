import { ranksOf, type TiedRanks } from './ranks.ts';
import { summarizeReplicates } from './replicates.ts';

/** How one classifier does over many data sets beside others; RNTK, Table 1 and Appendix A.3. Shares are from 0 to 1. */
export interface AccuracySummary {
  mean: number;
  /** Sample standard deviation over the data sets; null for a single one. */
  standardDeviation: number | null;
  /** Share of data sets where it reaches 90 % of the best accuracy: Eq. 26. */
  p90: number;
  /** The same with 95 %. */
  p95: number;
  /** Its accuracy over the best accuracy, averaged over data sets: Eq. 27. */
  pma: number;
  /** Its rank among the classifiers, 1 for the best, averaged over data sets: Eq. 28. */
  friedmanRank: number;
}

/**
 * Summaries of a table of accuracies (data sets, classifiers), one a classifier.
 * @param ties Ranks of equal accuracies. The paper's Table 1 has the smallest (docs/errata.md, 5: with mean ranks none agrees).
 * @throws RangeError for an empty table, or rows of different lengths.
 */
export function summarizeAccuracies(
  table: readonly (readonly number[])[],
  { ties }: { ties: TiedRanks },
): AccuracySummary[] {
  const width = table[0]?.length ?? 0;
  if (width === 0 || table.some((row) => row.length !== width)) {
    throw new RangeError(`a table of accuracies has rows of one length, received ${table.map((row) => row.length)}`);
  }
  const best = table.map((row) => Math.max(...row));
  const ranks = table.map((row) =>
    ranksOf(
      row.map((accuracy) => -accuracy),
      ties,
    ),
  );
  const average = (of: (row: readonly number[], index: number) => number): number =>
    table.reduce((sum, row, index) => sum + of(row, index), 0) / table.length;
  return Array.from({ length: width }, (_, classifier) => {
    const { mean, standardDeviation } = summarizeReplicates(table.map((row) => row[classifier]!));
    return {
      mean,
      standardDeviation,
      p90: average((row, index) => Number(row[classifier]! >= 0.9 * best[index]!)),
      p95: average((row, index) => Number(row[classifier]! >= 0.95 * best[index]!)),
      pma: average((row, index) => row[classifier]! / best[index]!),
      friedmanRank: average((_row, index) => ranks[index]![classifier]!),
    };
  });
}
