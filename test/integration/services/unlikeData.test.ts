import { expect, test } from 'vitest';
import { createExternalRun, finishExternalRun } from '#src/external/externalRuns.ts';
import { logExternalMetrics } from '#src/external/logExternal.ts';
import { enqueueRuns } from '#src/runs/enqueueRuns.ts';
import { runGroups } from '#src/runs/runGroups.ts';
import { unlikeData } from '#src/runs/unlikeData.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { executeRuns } from './executeRuns.ts';
import { servicesForTests } from './support.ts';

const postgres = await postgresForTests();
const context = await servicesForTests(postgres.url);

test('metrics whose runs saw different data are named, with what differs', async () => {
  const queue = async (name: string, core: number) =>
    await enqueueRuns(context, { kind: 'popularity', dataset: { name, core }, seeds: [1], project: 'data' });
  const [small, cored, large] = [
    await queue('generated/markov-small', 0),
    await queue('generated/markov-small', 5),
    await queue('generated/markov-large', 0),
  ];
  await executeRuns(context, [...small, ...cored, ...large], { metrics: () => ({ 'test/ndcg@10': 0.1 }) });
  const unlike = (filter: string | null, metrics = ['loss', 'test/ndcg@10', 'nothing']) =>
    unlikeData(context, { project: 'data', filter, metrics });
  const [metric, ofSmall] = ['test/ndcg@10', 'dataset = "generated/markov-small"'];
  expect(await unlike(null)).toEqual([{ metric, fields: ['name', 'core'] }]);
  expect(await unlike(ofSmall)).toEqual([{ metric, fields: ['core'] }]);
  expect(await unlike(`${ofSmall} and config.dataset.core = 5`)).toEqual([]);

  // programs of one's own name their data alone, or nothing
  for (const datasetName of ['beauty', 'toys', null]) {
    const run = await createExternalRun(context, { project: 'data', ...(datasetName !== null && { datasetName }) });
    await logExternalMetrics(context, { runId: run.id, series: [{ name: 'loss', steps: [0], values: [1] }] });
  }
  expect(await unlike('kind = external')).toEqual([{ metric: 'loss', fields: ['name'] }]);
  expect(await unlike('dataset != toys and kind = external')).toEqual([]);
  await expect(
    unlike(
      null,
      Array.from({ length: 21 }, (_, at) => `m${at}`),
    ),
  ).rejects.toThrow('metrics: received 21, expected at most 20');
});

test('groups compare only with those whose runs saw the same data', async () => {
  const values = {
    beauty: { sasrec: [0.31, 0.33], gru4rec: [0.2, 0.21] },
    toys: { sasrec: [0.4, 0.42], gru4rec: [0.5, 0.53] },
  };
  for (const [datasetName, models] of Object.entries(values)) {
    for (const [model, seeds] of Object.entries(models)) {
      for (const [seed, value] of seeds.entries()) {
        const run = await createExternalRun(context, { project: 'like', datasetName, seed, parameters: { model } });
        const series = ['test/ndcg@10', 'test/recall@10'].map((name) => ({ name, steps: [0], values: [value] }));
        await logExternalMetrics(context, {
          runId: run.id,
          series: datasetName === 'beauty' ? series : series.slice(0, 1),
        });
        await finishExternalRun(context, { runId: run.id, state: 'SUCCEEDED' });
      }
    }
  }
  const metrics = [{ name: 'test/ndcg@10' }, { name: 'test/recall@10' }];
  const told = async (groupBy: string[], baseline: string | null = null, filter: string | null = null) => {
    const page = await runGroups(context, { project: 'like', filter, groupBy, metrics, baseline });
    return page.edges.map(({ node }) => {
      const [test] = node.metrics.map(({ test: one }) => one?.reason ?? one?.verdict ?? null);
      return [...node.values, node.metrics.map(({ isBest }) => isBest), test];
    });
  };
  const none = [false, false];
  // of recall all runs saw the same
  expect(await told(['dataset', 'model'])).toEqual([
    ['toys', 'gru4rec', [true, false], null],
    ['toys', 'sasrec', none, null],
    ['beauty', 'sasrec', [true, true], null],
    ['beauty', 'gru4rec', none, null],
  ]);
  // each model saw both
  expect(await told(['model'])).toEqual([
    ['sasrec', [false, true], null],
    ['gru4rec', none, null],
  ]);
  const { edges } = await runGroups(context, { project: 'like', groupBy: ['dataset', 'model'], metrics });
  // 2 atan(1 / 23) / π = 0.028, twice as much with the correction for two metrics
  const other = 'other data than the baseline (dataset)';
  expect((await told(['dataset', 'model'], edges[3]!.node.id)).map((row) => row[3])).toEqual([
    other,
    other,
    'undecided',
    null,
  ]);
  const byModel = await runGroups(context, { project: 'like', groupBy: ['model'], metrics });
  const mixed = 'its runs saw different data (dataset)';
  expect((await told(['model'], byModel.edges[0]!.node.id)).map((row) => row[2])).toEqual([null, mixed]);
  expect((await told(['model'], null, 'dataset = toys')).map((row) => row[1])).toEqual([[true, false], none]);
});
