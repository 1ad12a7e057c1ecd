import { expect, test } from 'vitest';
import { readReportBlock } from '#src/base/contracts/report/reportBlock.ts';
import type { Panel, Workspace } from '#src/base/contracts/workspace.ts';
import { type DrawnRuns, panelBlock } from '#web/features/workspace/panelBlock.ts';
import { mediaPanel, metricPanel, valuePanel } from '#web/features/workspace/sections.ts';
import { USUAL } from '#web/features/workspace/workspaceText.ts';

const RUNS: DrawnRuns = { project: 'vision', filter: '', groupBy: [], order: null, isAscending: false, drawn: 20 };

function read(panel: Panel, workspace: Workspace = USUAL, runs = RUNS) {
  const text = panelBlock(panel, workspace, runs);
  const lines = /^```warren-panel\n([\s\S]*)```\n$/.exec(text ?? '')?.[1];
  expect(lines).toBeDefined();
  return readReportBlock('warren-panel', lines!);
}

test('a panel becomes the block of a report that draws the same', () => {
  expect(panelBlock(metricPanel('valid/loss'), USUAL, RUNS)).toBe(
    '```warren-panel\nmetric: valid/loss\nproject: vision\n```\n',
  );
  const settings = {
    x: 'metric:epoch',
    logY: true,
    yMin: 0.1,
    smoothing: 'gaussian',
    smoothness: 4,
    band: 'error',
  } as const;
  const panel: Panel = { ...metricPanel('valid/loss'), metrics: ['valid/loss', 'train/loss'], height: 2, settings };
  const workspace = {
    ...USUAL,
    curves: 50,
    replicates: true,
    colorBy: 'config.parameters.lr',
    settings: { logX: true },
  };
  const runs = { ...RUNS, filter: 'kind = external and metric."test/ndcg@10" > 0.1', drawn: 50 };
  expect(read(panel, workspace, runs)).toMatchObject({
    ...{ shown: { project: 'vision', filter: runs.filter, runs: null }, groupBy: ['configuration'], first: 50 },
    colorBy: 'config.parameters.lr',
    panel: { kind: 'line', metrics: panel.metrics, height: 2, settings: { ...settings, logX: true } },
  });
  for (const ignoreOutliers of [true, false]) {
    const drawn = { ...metricPanel('a'), settings: { ignoreOutliers } };
    expect(read(drawn)).toMatchObject({ panel: { settings: { ignoreOutliers } } });
  }
  const groupBy = ['config.parameters.model.name', 'dataset'];
  expect(read(valuePanel('test/ndcg@10'), USUAL, { ...RUNS, groupBy })).toMatchObject({
    groupBy,
    panel: { kind: 'bar' },
  });
  const fields = ['config.parameters.lr', 'seed'];
  expect(read({ ...metricPanel('a'), kind: 'heat', fields }, { ...USUAL, colorBy: 'seed' })).toMatchObject({
    ...{ colorBy: null, panel: { kind: 'heat', fields } },
  });
});

test('the report has the first runs in the order of the table, and as many configurations', () => {
  const block = (order: string, isAscending: boolean, others: Partial<DrawnRuns> = {}, workspace = USUAL) =>
    read(metricPanel('loss'), workspace, { ...RUNS, order, isAscending, ...others });
  expect(block('metric."loss"', true)).toMatchObject({ order: 'loss' });
  expect(block('metric."test/ndcg@10"', false)).toMatchObject({ order: '-metric."test/ndcg@10"' });
  expect(block('createdAt', true)).toMatchObject({ order: 'createdAt' });
  const groupBy = ['config.parameters.lr'];
  expect(block('metric."accuracy"', false, { groupBy })).toMatchObject({ groupBy, order: '-accuracy' });
  expect(block('seed', false, { groupBy })).toMatchObject({ groupBy, order: null });
  expect(block('seed', false, { drawn: 7 }, { ...USUAL, replicates: true })).toMatchObject({
    ...{ groupBy: ['configuration'], first: 7, order: '-seed' },
  });
});

test('formulas and media become blocks, too', () => {
  const formula = '"train/loss" / "valid/loss"';
  expect(read({ ...metricPanel('train/loss'), metrics: ['train/loss', 'valid/loss'], formula })).toMatchObject({
    panel: { kind: 'line', metrics: ['train/loss', 'valid/loss'], formula },
  });
  const media = { step: 5, size: 'large', first: 4 } as const;
  expect(read({ ...mediaPanel('samples'), fields: ['seed'], media })).toMatchObject({
    panel: { kind: 'media', metrics: ['samples'], fields: ['seed'], media },
  });
  expect(readReportBlock('warren-panel', 'metric: a\nstep: 5')).toEqual({
    problem: '“step”, “size” and “of each run” are of “kind: media”',
  });
});

test('a name that no block can say becomes none', () => {
  expect(panelBlock(metricPanel('a, b'), USUAL, RUNS)).toBeNull();
});
