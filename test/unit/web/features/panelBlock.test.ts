import { expect, test } from 'vitest';
import { readReportBlock } from '#src/contracts/report/reportBlock.ts';
import type { Panel, Workspace } from '#src/contracts/workspace.ts';
import { type DrawnRuns, panelBlock } from '#web/features/workspace/panelBlock.ts';
import { metricPanel, valuePanel } from '#web/features/workspace/sections.ts';
import { USUAL } from '#web/features/workspace/workspaceText.ts';

const RUNS: DrawnRuns = { project: 'vision', filter: '', groupBy: [] };

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
  const runs = { ...RUNS, filter: 'kind = external and metric."test/ndcg@10" > 0.1' };
  expect(read(panel, workspace, runs)).toMatchObject({
    ...{ shown: { project: 'vision', filter: runs.filter, runs: null }, groupBy: ['configuration'], first: 50 },
    colorBy: 'config.parameters.lr',
    panel: { kind: 'line', metrics: panel.metrics, height: 2, settings: { ...settings, logX: true } },
  });
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

test('panels that reports do not have become no block', () => {
  expect(panelBlock({ ...metricPanel('a'), formula: '"a" * 2' }, USUAL, RUNS)).toBeNull();
  expect(panelBlock(metricPanel('a, b'), USUAL, RUNS)).toBeNull();
});
