import { ruledName } from '#src/base/lib/valueRules.ts';
import { verdictWords } from '#src/base/lib/groupedTable.ts';
import { testsLegend } from '#src/statistics/testWords.ts';
import { verdictOf } from '#src/statistics/verdict.ts';
import type { Comparison, MetricTests } from './fetchComparison.ts';
import type { Colours } from '#src/base/terminal/colours.ts';
import { formatNumber } from '#src/base/terminal/formatNumber.ts';
import { singleLine } from '#src/base/lib/printable.ts';
import { renderTable, type TableColumn } from '#src/base/terminal/table.ts';
import { groupName } from '#src/comparisons/groupName.ts';

export interface PairedTestsTableOptions {
  colours: Colours;
  /** Cells of a line; undefined where nothing need be cut. */
  width: number | undefined;
  perUser: boolean;
}

type ConfigurationTest = MetricTests['tests'][number];
type Made = ConfigurationTest & { test: NonNullable<ConfigurationTest['test']> };

interface Column extends TableColumn {
  cell(one: Made): string;
}

/** Lines of the tests: one table per metric, one row per configuration, and below why others could not be tested, or not in pairs. */
export function pairedTestsTable(
  comparison: Comparison,
  metrics: readonly MetricTests[],
  { colours, width, perUser }: PairedTestsTableOptions,
): string[] {
  const lines = metrics.flatMap((metric) => {
    const { name, about, columns, rows, reasons } = testedMetric(comparison, metric);
    const table = renderTable(columns, rows, { width, styleHeader: colours.bold });
    return ['', `${colours.bold(name)}, ${about}`, ...(rows.length > 0 ? table : []), ...reasons.map(colours.dim)];
  });
  return [...lines, '', colours.dim(testsLegend(perUser))];
}

/** The tests in one metric in words: a row each, and why others could not be made, or not in pairs. */
export interface TestedMetric {
  name: string;
  /** Which way is better, and against which runs. */
  about: string;
  columns: TableColumn[];
  rows: string[][];
  reasons: string[];
}

export function testedMetric(
  comparison: Comparison,
  { name, direction, rules, chosenOnTest, baselineHash, tests }: MetricTests,
): TestedMetric {
  const nameOf = (hash: string): string => {
    const group = comparison.groups.find((one) => one.configuration.hash === hash);
    return group === undefined ? hash.slice(0, 7) : groupName(comparison, group);
  };
  const better = direction === null ? 'which way is better is not known' : `${direction} is better`;
  const made = tests.filter((one): one is Made => one.test !== null);
  const family = made[0]?.family ?? 0;
  const columns = columnsOf(made, { direction, nameOf });
  return {
    name: singleLine(ruledName(name, rules)),
    about: `${chosenOnTest ? 'chosen on the test data: it says nothing about new data; ' : ''}${better}, against ${nameOf(baselineHash)}${family > 1 ? `; Holm’s correction over ${family} tests` : ''}`,
    columns,
    rows: made.map((one) => columns.map((column) => column.cell(one))),
    reasons: tests.flatMap(({ configurationHash, reason }) =>
      reason === null ? [] : [`${nameOf(configurationHash)}: ${reason}`],
    ),
  };
}

function columnsOf(
  made: readonly Made[],
  { direction, nameOf }: { direction: MetricTests['direction']; nameOf: (hash: string) => string },
): Column[] {
  const right = { align: 'right' } as const;
  const columns: Column[] = [
    { header: 'RUNS', minimum: 12, cell: (one) => nameOf(one.configurationHash) },
    {
      header: 'AT 5 %',
      cell: ({ test, pHolm, about }) =>
        verdictWords(verdictOf({ difference: Number(test.difference), p: pHolm ?? test.p, direction, about })),
    },
    { header: 'PAIRS', ...right, cell: (one) => (one.test.method === 'welch' ? 'none' : String(one.n)) },
    { header: 'SEEDS', ...right, cell: ({ seeds, baselineSeeds }) => `${seeds.length}, ${baselineSeeds.length}` },
    { header: 'MEAN', ...right, cell: (one) => formatNumber(one.mean) },
    { header: 'BASELINE', ...right, cell: (one) => formatNumber(one.baselineMean) },
    { header: 'DIFFERENCE', ...right, cell: (one) => intervalText(one).difference },
    { header: '95 %', ...right, cell: (one) => intervalText(one).interval },
    { header: 't (df)', ...right, cell: ({ test }) => `${Number(test.t).toFixed(2)} (${Number(test.df.toFixed(1))})` },
    { header: 'p', ...right, cell: ({ test }) => probability(test.p) },
    { header: 'p BETTER', ...right, cell: ({ test }) => probability(test.pBetter) },
    { header: 'p HOLM', ...right, cell: (one) => probability(one.pHolm) },
    { header: 'WILCOXON', ...right, cell: ({ test }) => probability(test.wilcoxon?.p ?? null) },
    { header: 'HOLM', ...right, cell: (one) => probability(one.wilcoxonHolm) },
  ];
  return columns.filter((column) => column.header === 'RUNS' || made.some((one) => column.cell(one) !== '-'));
}

const MOST_DECIMALS = 12;

/** The three to the same decimals: three significant digits of half the interval's width, since further ones tell nothing. */
function intervalText({ test }: Made): { difference: string; interval: string } {
  const [difference, low, high] = [Number(test.difference), Number(test.low), Number(test.high)];
  const half = (high - low) / 2;
  const decimals =
    half > 0 && Number.isFinite(half) ? Math.max(0, 2 - Math.floor(Math.log10(half))) : MOST_DECIMALS + 1;
  const write = (value: number): string => {
    const text = decimals > MOST_DECIMALS ? formatNumber(value) : value.toFixed(decimals);
    return value >= 0 ? `+${text}` : text;
  };
  return { difference: write(difference), interval: `${write(low)} to ${write(high)}` };
}

function probability(p: number | null): string {
  if (p === null) return '-';
  if (p === 0) return '<1e-300';
  return p < 0.001 ? p.toExponential(1) : p.toFixed(4);
}
