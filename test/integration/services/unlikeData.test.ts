import { expect, test } from 'vitest';
import { createExternalRun } from '#src/services/external/externalRuns.ts';
import { logExternalMetrics } from '#src/services/external/logExternal.ts';
import { enqueueRuns } from '#src/services/runs/enqueueRuns.ts';
import { unlikeData } from '#src/services/runs/unlikeData.ts';
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
