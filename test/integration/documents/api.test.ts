import { expect, it } from 'vitest';
import { apiForTests } from '../support/apiForTests.ts';
import { documentForTests } from '../support/documentBlocks.ts';
import { runShell } from '../support/runShell.ts';

const document = documentForTests('api.md');
const api = await apiForTests();
const here = { 'http://127.0.0.1:4680': api.url };
const ask = document.take('ask', here);
const best = document.take('best');
const filter = document.take('filter');
const run = document.take('run');
const project = document.take('project');
const compare = document.take('compare');
const queue = document.take('queue');
const cancel = document.take('cancel');
const create = document.take('create');
const log = document.take('log');
const finish = document.take('finish');
const follow = document.take('follow');
const files = document.take('files', here);

let id = '';

it('answers a shell', async () => {
  expect(JSON.parse(await runShell(ask, {})).data).toMatchObject({ queue: { queued: 0 } });
});

it('logs a run, which is then found, read and followed', async () => {
  id = (await api.ok(create)).createRun.id;
  const heard = api.socket().iterate({ query: follow, variables: { ids: [id] } });
  expect((await heard.next()).value?.data).toMatchObject({ runChanged: { state: 'RUNNING' } });
  await heard.return?.();
  expect(await api.ok(log, { id })).toEqual({ logMetrics: 2, logLines: 1 });
  expect((await api.ok(finish, { id })).finishRun.state).toBe('SUCCEEDED');
  expect((await api.ok(run, { id })).run).toMatchObject({
    history: [{ name: 'train/loss', steps: [1, 2], values: [0.7, 'NaN'] }],
    logs: { lines: [{ level: 'info', text: 'epoch 1 done' }] },
  });
  expect((await api.ok(project)).project).toMatchObject({ runCount: 1, runs: { edges: [{ node: { number: 1 } }] } });
});

it('finds runs by a filter', async () => {
  const { createRun } = await api.ok(create.replace('width: 64', 'width: 128'));
  const series = [{ name: 'test/ndcg@10', steps: [1], values: [0.03] }];
  await api.ok('mutation ($id: ID!, $series: [MetricPointsInput!]!) { logMetrics(runId: $id, series: $series) }', {
    id: createRun.id,
    series,
  });
  expect((await api.ok(best, JSON.parse(filter))).runs).toMatchObject({
    totalCount: 1,
    edges: [{ node: { number: 2, metrics: [{ lastValue: 0.03 }] } }],
  });
  expect((await api.ok(compare, { ids: [id, createRun.id] })).compareRuns.groups).toHaveLength(2);
});

it('queues runs and cancels them', async () => {
  const { enqueueRuns } = await api.ok(queue);
  expect(enqueueRuns).toMatchObject([{ state: 'QUEUED' }, { state: 'QUEUED' }]);
  const ids = [enqueueRuns[0].id, id];
  expect((await api.ok(cancel, { ids })).cancelRuns).toMatchObject([{ done: true }, { done: false }]);
});

it('keeps files and exports points', async () => {
  const live = (await api.ok(create)).createRun.id;
  const printed = await runShell(files, { RUN: live });
  expect(printed).toContain('wei');
  expect(printed).toContain('train/loss');
});
