import type { RntkKernel } from '#src/catalog/parameters/rntkGrids.ts';
import { rntkTable2 } from '#src/catalog/published/rntkTables.ts';
import { type AccuracySummary, summarizeAccuracies } from '#src/statistics/accuracySummary.ts';
import type { Figure } from '#workers/figures/figure.ts';

/** Accuracies in percent of several kernels over datasets, and what the paper prints for the same. */
export interface AccuracyTable {
  datasets: readonly string[];
  kernels: readonly RntkKernel[];
  /** (datasets, kernels) */
  found: readonly (readonly number[])[];
}

export interface TableSummary {
  kernel: RntkKernel;
  found: AccuracySummary;
  /** Of the same datasets in the paper; null where it has none of them. */
  published: AccuracySummary | null;
  /** Mean of |found - printed| over the datasets that the paper has, those set apart left out; null where none is left. */
  meanAbsoluteDifference: number | null;
}

function publishedOf({ datasets, kernels }: AccuracyTable): (number[] | null)[] {
  return datasets.map((dataset) => {
    const printed = rntkTable2(dataset);
    return printed === null ? null : kernels.map((kernel) => printed[kernel]);
  });
}

/** Table 1 over these datasets, one summary a kernel; ties in ranks to the smallest, as the paper's (docs/errata.md, 5). */
export function summarizeTable(table: AccuracyTable, setApart: readonly string[]): TableSummary[] {
  const published = publishedOf(table);
  const known = published.filter((row) => row !== null);
  const ours = summarizeAccuracies(table.found, { ties: 'smallest' });
  const theirs = known.length === 0 ? null : summarizeAccuracies(known, { ties: 'smallest' });
  return table.kernels.map((kernel, k) => {
    const differences = table.datasets.flatMap((dataset, d) => {
      const printed = published[d]?.[k];
      return printed === undefined || setApart.includes(dataset) ? [] : [Math.abs(table.found[d]![k]! - printed)];
    });
    return {
      kernel,
      found: ours[k]!,
      published: theirs?.[k] ?? null,
      meanAbsoluteDifference:
        differences.length === 0 ? null : differences.reduce((sum, value) => sum + value, 0) / differences.length,
    };
  });
}

const rounded = (value: number, digits = 2): string => (Number.isFinite(value) ? value.toFixed(digits) : '');

/** Rows of CSV: a line a dataset, found and printed accuracies side by side. */
export function tableRows(table: AccuracyTable): (string | number)[][] {
  const published = publishedOf(table);
  const header = ['dataset', ...table.kernels.flatMap((kernel) => [kernel, `${kernel} paper`])];
  const rows = table.datasets.map((dataset, d) => [
    dataset,
    ...table.kernels.flatMap((_, k) => [rounded(table.found[d]![k]!), rounded(published[d]?.[k] ?? Number.NaN)]),
  ]);
  return [header, ...rows];
}

/** Rows of CSV: a line a summary of Table 1, found and of the same datasets in the paper side by side. */
export function summaryRows(summaries: readonly TableSummary[]): (string | number)[][] {
  const lines: [string, (summary: AccuracySummary) => number][] = [
    ['mean accuracy', ({ mean }) => mean],
    ['standard deviation', ({ standardDeviation }) => standardDeviation ?? Number.NaN],
    ['P90', ({ p90 }) => 100 * p90],
    ['P95', ({ p95 }) => 100 * p95],
    ['PMA', ({ pma }) => 100 * pma],
    ['Friedman rank', ({ friedmanRank }) => friedmanRank],
  ];
  const header = ['', ...summaries.flatMap(({ kernel }) => [kernel, `${kernel} paper`])];
  const rows = lines.map(([name, of]) => [
    name,
    ...summaries.flatMap(({ found, published }) => [
      rounded(of(found)),
      published === null ? '' : rounded(of(published)),
    ]),
  ]);
  const distances = summaries.flatMap(({ meanAbsoluteDifference: found }) => [
    found === null ? '' : rounded(found),
    '',
  ]);
  return [header, ...rows, ['mean |found - paper|', ...distances]];
}

/** Found accuracies as bars, one group a dataset. */
export function tableFigure(table: AccuracyTable): Figure {
  return {
    form: 'curves',
    title: 'Test accuracy (RNTK, Table 2)',
    x: { title: 'dataset', scale: 'category', categories: table.datasets.map((name) => name.replace(/^ucr\//, '')) },
    y: { title: 'accuracy (%)' },
    series: table.kernels.map((kernel, k) => ({
      form: 'bars',
      name: kernel,
      values: table.found.map((row) => row[k]!),
    })),
  };
}
