import { expect, test } from 'vitest';
import type { RunRow } from '#web/features/runs/useRuns.ts';
import { runsTableText } from '#web/features/runs/runsTableText.ts';

const run = (number: number, name: string, loss: number | null): RunRow => ({
  ...{ id: `id ${number}`, number, name, tags: ['a', 'b'], seed: 1, state: 'SUCCEEDED', priority: 1000 },
  ...{ attempt: 1, maxAttempts: 5, cancelRequested: false, progress: 1, progressMessage: '', error: null },
  ...{ createdAt: '2026-01-02T00:00:00.000Z', startedAt: null, endedAt: null, deletedAt: null },
  ...{ user: 'ada', lastHeardAt: null, leaseSeconds: null, project: { name: 'p' } },
  configuration: { hash: 'f00', kind: 'k', datasetName: null, parameters: { lr: 0.1 }, dataset: null },
  metrics:
    loss === null
      ? []
      : [
          {
            ...{ name: 'loss', direction: 'lower', pointCount: 1, lastStep: 0, lastValue: loss, summary: loss },
            ...{ summaryRule: null, stepMetric: null, description: '', minimum: loss, maximum: loss },
          },
        ],
});
const RUNS = [run(1, '=a & b', 0.25), run(2, 'c|d', 12.5), run(3, 'e', null)];
const COLUMNS = ['name', 'metric."loss"', 'curve."loss"', 'config.parameters.lr', 'tags'];

test('runs as CSV have their numbers in full, and no cell that a spreadsheet computes', () => {
  expect(runsTableText(RUNS, COLUMNS, 'csv')).toBe(
    "number,Name,lr,Tags,loss\n1,'=a & b,0.1,a b,0.25\n2,c|d,0.1,a b,12.5\n3,e,0.1,a b,\n",
  );
});

test('runs as Markdown and LaTeX have the best in bold and the texts escaped', () => {
  expect(runsTableText(RUNS, ['name', 'metric."loss"'], 'md')).toBe(
    '| number | Name | loss |\n| --- | --- | ---: |\n| 1 | =a & b | **0.25** |\n| 2 | c\\|d | 12.50 |\n| 3 | e | – |\n',
  );
  const latex = runsTableText(RUNS, ['name', 'metric."loss"'], 'latex');
  expect(latex).toContain('  1 & =a \\& b & \\textbf{0.25} \\\\\n');
  expect(latex).toMatch(/^\\begin\{tabular\}\{llr\}\n {2}\\toprule/);
});

test('a running program that tells no progress has none', () => {
  const running = (kind: string): RunRow => ({
    ...RUNS[0]!,
    ...{ state: 'RUNNING', progress: 0, configuration: { ...RUNS[0]!.configuration, kind } },
  });
  expect(runsTableText([running('external'), running('sasrec')], ['progress'], 'csv')).toMatch(/\n1,\n1,0 %\n$/);
});

test('where runs saw different data, none of them is the best', () => {
  const on = (row: RunRow, datasetName: string | null, dataset: Record<string, unknown> = {}): RunRow => ({
    ...row,
    configuration: { ...row.configuration, datasetName, dataset },
  });
  const [first, second, third] = [RUNS[0]!, RUNS[1]!, RUNS[2]!];
  const written = (...runs: RunRow[]) => runsTableText(runs, ['metric."loss"'], 'md');
  expect(written(on(first, 'beauty'), on(second, 'toys'))).not.toContain('**');
  expect(written(on(first, 'beauty', { core: 5 }), on(second, 'beauty', { core: 0 }))).not.toContain('**');
  expect(written(on(first, 'beauty', { core: 5 }), on(second, 'beauty', { core: 5 }))).toContain('**0.25**');
  // who has no value, or names no data, does not count
  expect(written(on(first, 'beauty'), on(second, null), on(third, 'toys'))).toContain('**0.25**');
});

test('texts that programs logged stand in columns', () => {
  const told = { ...RUNS[0]!, texts: [{ name: 'phase', texts: ['warm-up', 'second'] }] };
  expect(runsTableText([told, RUNS[1]!], ['text."phase"', 'text."none"'], 'csv')).toBe(
    'number,phase,none\n1,"warm-up\nsecond",\n2,,\n',
  );
  expect(runsTableText([told], ['text."phase"'], 'md')).toContain('| 1 | warm-up second |');
});
