import { expect, it } from 'vitest';
import type { Comparison } from '#src/comparisons/command/fetchComparison.ts';
import type { MetricTests } from '#src/comparisons/command/fetchComparison.ts';
import { comparisonExport } from '#src/comparisons/comparisonExport.ts';
import { comparisonTable } from '#src/comparisons/command/comparisonTable.ts';
import { pairedTestsTable } from '#src/comparisons/command/pairedTestsTable.ts';
import { createColours } from '#src/base/terminal/colours.ts';
import { writeGroupedTable } from '#src/base/lib/groupedTable.ts';

const run = (number: number, hash: string, seed: number) => ({
  id: `id${number}`,
  number,
  name: 'mf-bpr beauty',
  seed,
  state: 'SUCCEEDED' as const,
  configuration: { hash, kind: 'mf-bpr', datasetName: 'beauty' },
});
const metric = (name: string, direction: 'higher' | 'lower' | null, mean: number, sd: number | null, n: number) => ({
  name,
  direction,
  mean,
  standardDeviation: sd,
  n,
});

function comparedMetric(name: string): Comparison['metrics'][number] {
  return { name, direction: null, final: [], best: [], rules: ['last'], chosenOnTest: false };
}

const COMPARISON: Comparison = {
  notComparable: [],
  runs: [run(1, 'a', 1), run(2, 'a', 2), run(3, 'a', 3), run(4, 'b', 1)],
  fields: [
    { path: 'parameters.dimension', values: [64, 64, 64, 128], differs: true },
    { path: 'parameters.epochs', values: [5, 5, 5, 5], differs: false },
    { path: 'seed', values: [1, 2, 3, 1], differs: true },
  ],
  metrics: ['test/ndcg@10', 'train/loss', 'system/cpu'].map(comparedMetric),
  groups: [
    {
      configuration: { hash: 'a' },
      runIds: ['id1', 'id2', 'id3'],
      seeds: [1, 2, 3],
      metrics: [metric('test/ndcg@10', 'higher', 0.03, 0.002, 3), metric('train/loss', 'lower', 0.5, 0.1, 3)],
    },
    {
      configuration: { hash: 'b' },
      runIds: ['id4'],
      seeds: [1],
      metrics: [metric('test/ndcg@10', 'higher', 0.02, null, 1), metric('train/loss', 'lower', 0.4, null, 1)],
    },
  ],
};
const colours = createColours(false);

it('shows one row per configuration, what differs, replicates with their spread, and marks the best', () => {
  const lines = comparisonTable(COMPARISON, { colours, width: undefined });
  expect(lines[0]!.split(/ {2,}/)).toEqual(['RUNS', 'dimension', 'test/ndcg@10', 'train/loss']);
  expect(lines[1]).toMatch(/#1-3 dimension 64 +64 +0\.0300 ± 0\.0020 \(3\) \* +0\.5000 ± 0\.1000 \(3\)/);
  expect(lines[2]).toMatch(/#4 dimension 128 +128 +0\.0200 +0\.4000 \*/);
});

it('turns round where the screen is too narrow for a row', () => {
  const lines = comparisonTable(COMPARISON, { colours, width: 60 });
  expect(lines[0]).toMatch(/#1-3 dimension 64 +#4 dimension 128/);
  expect(lines.some((line) => /^test\/ndcg@10 .*\* +0\.0200/.test(line))).toBe(true);
});

it('turns a table of very many metrics round in a pipe too, and cuts nothing', () => {
  const names = Array.from({ length: 40 }, (_, index) => `test/some-group/ndcg@${index}`);
  const many = { ...COMPARISON, metrics: names.map(comparedMetric) };
  many.groups = many.groups.map((group) => ({
    ...group,
    metrics: names.map((name) => metric(name, null, 0.5, null, 1)),
  }));
  const lines = comparisonTable(many, { colours, width: undefined });
  expect(lines[0]).toMatch(/#1-3 dimension 64 +#4 dimension 128/);
  expect(lines.filter((line) => line.startsWith('test/some-group/'))).toHaveLength(40);
});

it('shows only the metrics asked for', () => {
  const lines = comparisonTable(COMPARISON, { colours, width: undefined, metrics: ['train/loss', 'nothing'] });
  expect(lines[0]!.split(/ {2,}/)).toEqual(['RUNS', 'dimension', 'train/loss']);
});

it('shows how much better than the baseline and how sure that is, and why others are not tested', () => {
  const wilcoxon = { w: 0, n: 3, exact: true, p: 0.25, pBetter: 0.125 };
  const interval = { difference: 0.0101, low: 0.0088, high: 0.0114 };
  const test = { method: 'paired' as const, ...interval, t: 33.4, df: 2, p: 0.000895, pBetter: 0.000448, wilcoxon };
  const about = { about: 'methods' as const, family: 2, baselineSeeds: [1, 2, 3] };
  const tested = { mean: 0.0301, baselineMean: 0.02, n: 3, seeds: [1, 2, 3], differences: [], reason: null, ...about };
  const holm = { pHolm: 0.00179, wilcoxonHolm: 0.25 };
  const nothing = { mean: null, baselineMean: null, n: 0, seeds: [], differences: [], pHolm: null };
  const none = { ...nothing, ...about, wilcoxonHolm: null };
  const metrics: MetricTests[] = [
    {
      ...{ name: 'test/ndcg@10', direction: 'higher', rules: ['last'], chosenOnTest: false, baselineHash: 'b' },
      tests: [
        { configurationHash: 'a', ...tested, ...holm, test },
        { configurationHash: 'c', ...none, test: null, reason: 'needs two seeds of each' },
      ],
    },
  ];
  const lines = pairedTestsTable(COMPARISON, metrics, { colours, width: undefined, perUser: false });
  expect(lines[1]).toBe('test/ndcg@10, higher is better, against #4 dimension 128; Holm’s correction over 2 tests');
  const [, heads, cells] = lines.slice(1).map((line) => line.split(/ {2,}/));
  const titles = ['DIFFERENCE', '95 %', 't (df)', 'p', 'p BETTER', 'p HOLM', 'WILCOXON', 'HOLM'];
  expect(heads).toEqual(['RUNS', 'AT 5 %', 'PAIRS', 'SEEDS', 'MEAN', 'BASELINE', ...titles]);
  const numbers = ['+0.01010', '+0.00880 to +0.01140', '33.40 (2)', '8.9e-4', '4.5e-4', '0.0018', '0.2500', '0.2500'];
  expect(cells).toEqual(['#1-3 dimension 64', 'better', '3', '3, 3', '0.0301', '0.0200', ...numbers]);
  expect(lines[4]).toBe('c: needs two seeds of each');
});

it('is written for a paper: a row a configuration, what differs, the best in bold', () => {
  const table = comparisonExport(COMPARISON, { metrics: ['test/ndcg@10'], tests: null });
  expect(writeGroupedTable(table, 'latex').split('\n').slice(2, 6)).toEqual([
    '  configuration & dimension & runs & test/ndcg@10 \\\\',
    '  \\midrule',
    '  \\#1-3 dimension 64 & 64 & 3 & \\textbf{0.03000 $\\pm$ 0.00200} \\\\',
    '  \\#4 dimension 128 & 128 & 1 & 0.02000 \\\\',
  ]);
});
