import { expect, test } from 'vitest';
import { replaceCitations } from '#src/base/contracts/report/citation.ts';
import { citedMean } from '#src/base/contracts/report/citedMean.ts';
import {
  blocksOf,
  citationsOf,
  citedRuns,
  LONGEST_REPORT,
  MOST_BLOCKS,
  readReport,
} from '#src/base/contracts/report/readReport.ts';
import { renumberReport } from '#src/base/contracts/report/renumberReport.ts';
import { missingText, pinnedBlock } from '#src/base/contracts/report/pinnedBlock.ts';
import { type ReportBlock, readReportBlock, selectionOf } from '#src/base/contracts/report/reportBlock.ts';
import { numbersFilter } from '#src/base/contracts/report/runNumbers.ts';
import { parseRunFilter } from '#src/base/contracts/runFilter/parse.ts';

test('a block is read in plain words, and the runs that it shows become a filter', () => {
  const block = readReportBlock(
    'warren-panel',
    'metric: valid/loss, train/loss\nfilter: kind = sasrec and tag = a:b\nlog y: yes\nsmoothing: gaussian\ncolors by: dropout\nx: epoch\n# note\n',
  );
  expect(block).toMatchObject({
    type: 'panel',
    shown: { runs: null, project: null, filter: 'kind = sasrec and tag = a:b' },
    colorBy: 'dropout',
    panel: {
      kind: 'line',
      metrics: ['valid/loss', 'train/loss'],
      settings: { logY: true, smoothing: 'gaussian', x: 'epoch' },
    },
  });
  expect(selectionOf({ runs: null, project: null, filter: 'a' }, 'own')).toEqual({ project: 'own', filter: 'a' });
  expect(selectionOf({ runs: [3, 4], project: null, filter: 'a or b' }, 'own')).toEqual({
    ...{ project: null, filter: 'number in (3, 4) and (a or b)' },
  });
  expect(readReportBlock('warren-comparison', 'runs: #3, 5-7\nbaseline: 5\npairs: users')).toMatchObject({
    ...{ runs: [3, 5, 6, 7], baseline: '5', perUser: true, metrics: null, show: 'verdict' },
  });
});

test.each([
  ['warren-panel', 'metrc: a', 'line 1: “metrc” is not known here. Did you mean "metric"?'],
  ['warren-panel', 'x: step', 'say which metric is drawn'],
  ['warren-panel', 'metric: a\nlog y: perhaps', 'line 2: log y is yes or no, not “perhaps”'],
  ['warren-panel', 'metric: a\nkind: pie', 'kind is one of line, scatter, bar'],
  ['warren-panel', 'metric: a\nkind: heat', 'fields: '],
  ['warren-panel', 'metric: a\nkind: importance\ncolors by: seed', 'line 3: “colors by” is of line, bar, box'],
  ['warren-panel', 'metric: a\nruns: 9-3', 'the range “9-3” runs backwards'],
  ['warren-panel', 'metric: a\nruns: 1-999999', 'at most 200 runs'],
  ['warren-table', 'first: 0', 'line 1: first is a whole number from 1 to 200, not “0”'],
  ['warren-table', 'baseline: 3', 'a baseline is one of groups'],
  ['warren-table', 'no colon here', 'line 1: expected “key: value”'],
  ['warren-comparison', 'runs: 3', 'name the runs that are compared'],
] as const)('a %s block with “%s” says what would be right', (language, text, problem) => {
  expect(readReportBlock(language, text)).toEqual({ problem: expect.stringContaining(problem) });
});

test('runs and comparisons are cited in sentences, not in code', () => {
  const text =
    'As [[run 12]] and [[ run #7: test/ndcg@10 ]] show, `[[run 1]]`, see [[compare 1-3]]; [[run x]] [[else 1]]';
  expect(citationsOf(text)).toEqual([
    { type: 'run', number: 12, metric: null },
    { type: 'run', number: 7, metric: 'test/ndcg@10' },
    { type: 'comparison', numbers: [1, 2, 3] },
    { type: 'problem', text: '[[run x]]', problem: expect.stringContaining('[[run 12]]') },
  ]);
  expect(replaceCitations('a [[run 12]] `[[run 1]]` [[else 1]]', () => 'X')).toBe('a X `[[run 1]]` [[else 1]]');
});

test('several runs are cited by the mean of a metric', () => {
  const text =
    '[[runs 4-6: test/mrr]], [[run 4, 5, 9: a: b]], [[runs 7: a]], [[runs 4–5]], [[run 6-4: a]], [[runs 4: ]], [[runs 4-: a]]';
  const found = citationsOf(text);
  expect(found.slice(0, 4)).toEqual([
    { type: 'runs', numbers: [4, 5, 6], metric: 'test/mrr' },
    { type: 'runs', numbers: [4, 5, 9], metric: 'a: b' },
    { type: 'runs', numbers: [7], metric: 'a' },
    { type: 'runs', numbers: [4, 5], metric: null },
  ]);
  expect(found.slice(4).map(({ type }) => type)).toEqual(['problem', 'problem', 'problem']);
  expect(citedRuns(found)).toEqual({ numbers: [4, 5, 6, 9, 7], metrics: ['test/mrr', 'a: b', 'a'] });
  expect(
    renumberReport(
      '[[runs 4-6: a]] [[runs 9: a]]',
      new Map([
        [4, 14],
        [6, 15],
      ]),
    ),
  ).toBe('[[runs 14, 15: a]] (without runs 5, not in the archive) runs 9: a (not in the archive)');
  // R: mean(c(1, 2, 4)), sd(c(1, 2, 4))
  expect(citedMean([1, 2, 4])).toBe('2.333 ± 1.528 (3)');
  expect(citedMean([0.5, null])).toBe('0.5000 (1 of 2)');
  expect(citedMean([1, Number.NaN])).toBe('NaN ± NaN (2)');
  expect(citedMean([null])).toBeNull();
});

test('HTML and addresses that run something stay text', () => {
  const text =
    '<script>alert(1)</script>\n\n[a](javascript:alert(1)) ![b](data:text/html,x) [c](https://e.org)\n\n<b>x</b>';
  const shown = JSON.stringify(readReport(text));
  expect(shown).toContain('"text":"<script>alert(1)</script>"');
  expect(shown).not.toContain('"address":"javascript');
  expect(shown).not.toContain('"address":"data:');
  expect(shown).toContain('"address":"https://e.org"');
});

test('a report has so many live blocks and no more', () => {
  const found = blocksOf('```warren-panel\nmetric: a\n```\n\n'.repeat(MOST_BLOCKS + 1));
  expect(found.filter(({ block }) => 'problem' in block)).toHaveLength(1);
  expect(found.at(-1)!.lines).toEqual([MOST_BLOCKS * 4, MOST_BLOCKS * 4 + 3]);
});

test.each(['>', '[', '![', '*a ', 'a_b_', '|a', '~a', '[[run ', '[a](b', 'http://a.', '- a\n', '`a``', '&', '\\'])(
  'the longest report of nothing but %j is read within seconds',
  (piece) => {
    const before = process.cpuUsage();
    readReport(piece.repeat(LONGEST_REPORT / piece.length));
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(5_000);
  },
);

test('where runs have other numbers, citations and blocks name them anew, and code stays', () => {
  const text = [
    '[[run 3]] beats [[run #4: test/mrr]], `[[run 3]]` and [[compare 3, 4-5]]; [[run 9: test/mrr]] and [[compare 9]] are gone.',
    '',
    '```warren-comparison',
    'Runs: 4-5, #9',
    'baseline: 3',
    'title: run 3 beside others',
    '```',
    '> ```warren-table',
    '> runs: 9',
    '> ```',
    '',
    '```sh',
    'runs: 3 [[run 3]]',
    '```',
  ].join('\n');
  const numbers = new Map([
    [3, 13],
    [4, 3],
    [5, 20],
  ]);
  expect(renumberReport(text, numbers).split('\n')).toEqual([
    '[[run 13]] beats [[run 3: test/mrr]], `[[run 3]]` and [[compare 13, 3, 20]]; run 9: test/mrr (not in the archive) and comparison of runs 9 (not in the archive) are gone.',
    '',
    '```warren-comparison',
    'Runs: 3, 20',
    'baseline: 13',
    'title: run 3 beside others',
    '```',
    '> ```warren-table',
    '> # not in the archive: runs: 9',
    '> ```',
    '',
    '```sh',
    'runs: 3 [[run 3]]',
    '```',
  ]);
});

test('a block that is held to the runs of then keeps their order and asks for nothing else', () => {
  const read = (language: 'warren-table' | 'warren-panel' | 'warren-comparison', text: string): ReportBlock => {
    const block = readReportBlock(language, text);
    if ('problem' in block) throw new Error(block.problem);
    return block;
  };
  const pin = { runs: [9, 4], matched: 12 };
  const table = pinnedBlock(read('warren-table', 'filter: state = FAILED\nproject: other\nmetrics: a'), pin);
  expect(table).toMatchObject({ order: '-number', shown: { runs: [9, 4], project: null, filter: '', matched: 12 } });
  expect(pinnedBlock(read('warren-table', 'runs: 4, 9'), pin)).toMatchObject({ order: null });
  expect(pinnedBlock(read('warren-comparison', 'runs: 4-9'), pin)).toMatchObject({ runs: [9, 4] });
  expect(selectionOf({ runs: [], project: null, filter: '' }, 'own').filter, 'no run has it').toBe('number = 0');
  expect(missingText({ missing: [], missingCount: 0 })).toBeNull();
  expect(missingText({ missing: [3], missingCount: 1 })).toContain('run 3.');
  expect(missingText({ missing: [3, 5], missingCount: 4 })).toContain('runs 3, 5 and 2 more.');
  expect(missingText({ missing: [], missingCount: 1 })).toContain('1 run.');
});

test('many numbers of runs make a filter that can be read and has just these', () => {
  const numbers = Array.from({ length: 9_000 }, (_, index) => index + 1).filter((number) => number % 1_000 > 2);
  const filter = numbersFilter([...numbers, 20_001, 20_003]);
  expect(() => parseRunFilter(filter, () => null)).not.toThrow();
  const matches = (number: number) =>
    [...filter.matchAll(/number >= (\d+) and number <= (\d+)/g)].some(
      ([, from, to]) => number >= Number(from) && number <= Number(to),
    ) || [...filter.matchAll(/number in \(([^)]*)\)/g)].some(([, list]) => list!.split(', ').includes(String(number)));
  const found = Array.from({ length: 21_000 }, (_, index) => index + 1).filter(matches);
  expect(found).toEqual([...numbers, 20_001, 20_003]);
});
