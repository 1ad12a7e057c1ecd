import { expect, test } from 'vitest';
import { enqueueCommand } from '#src/programs/enqueueCommand.ts';
import { enqueueRuns } from '#src/runs/enqueueRuns.ts';
import { confirmSweep } from '#src/sweeps/confirmSweep.ts';
import { createSweep } from '#src/sweeps/createSweep.ts';
import { extendSweep } from '#src/sweeps/changeSweep.ts';
import { decideComparison } from '#src/decisions/decideComparison.ts';
import { reproduceStudy } from '#src/studies/reproduceStudy.ts';
import { studyByName } from '#src/catalog/studies/studies.ts';
import { finishExternalRun } from '#src/external/externalRuns.ts';
import { takeTrial } from '#src/sweeps/takeTrial.ts';
import { listUntakenConfirmations } from '#src/sweeps/store/sweepConfirmation.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { servicesForTests } from './support.ts';

const postgres = await postgresForTests();
const context = await servicesForTests(postgres.url);
const basic = { kind: 'popularity', dataset: 'generated/markov-small' };
const numbers = (runs: readonly { number: number }[]) => runs.map(({ number }) => number);

test('the same call with the same key queues its runs once, however often and how many at once', async () => {
  const input = { ...basic, seeds: [3, 1], project: 'keys', key: 'nightly' };
  const answers = await Promise.all([1, 2, 3].map(async () => numbers(await enqueueRuns(context, input))));
  expect(new Set(answers.map(String)).size).toBe(1);
  expect((await enqueueRuns(context, input)).map(({ seed }) => seed)).toEqual([3, 1]);
  expect(await context.db.run.count({ where: { project: { name: 'keys' } } })).toBe(2);
  const elsewhere = await enqueueRuns(context, { ...input, project: 'other keys' });
  expect(numbers(elsewhere)).not.toEqual(answers[0]);
  expect(numbers(await enqueueRuns(context, { ...input, key: 'daily' }))).not.toEqual(answers[0]);
  await enqueueRuns(context, { ...input, key: null });
  expect(await context.db.run.count({ where: { project: { name: 'keys' } } })).toBe(6);
});

test('a key that is that of another call is refused, and nothing is queued', async () => {
  const input = { ...basic, project: 'taken', key: 'once' };
  const [run] = await enqueueRuns(context, input);
  for (const other of [{ seeds: [2] }, { seeds: [1, 2] }, { kind: 'item-knn' }]) {
    const error = { code: 'CONFLICT', path: 'key', message: expect.stringContaining(`such as run ${run!.number}`) };
    await expect(enqueueRuns(context, { ...input, ...other })).rejects.toMatchObject(error);
  }
  await expect(enqueueRuns(context, { ...input, key: ' ' })).rejects.toMatchObject({ code: 'BAD_INPUT', path: 'key' });
  expect(await context.db.run.count({ where: { project: { name: 'taken' } } })).toBe(1);
});

test('commands are queued once under a key, also where their code is gone meanwhile', async () => {
  const code = 'c'.repeat(64);
  const input = { command: ['sh', 'train.sh'], code, seeds: [1, 2], key: 'training' };
  const runs = await enqueueCommand(context, input, async () => 10);
  const again = await enqueueCommand(context, input, async () => null);
  expect(numbers(again)).toEqual(numbers(runs));
  expect(again[0]).toMatchObject({ needs: { command: true } });
});

test('a sweep is started once under a key', async () => {
  const file = { method: 'random', kind: 'item-knn', dataset: basic.dataset, run_cap: 2, parameters: {} };
  const parameters = { neighbours: { values: [10, 20, 30] } };
  const input = { file: { ...file, parameters }, project: 'sweeps', key: 'search' };
  const { sweep } = await createSweep(context, input);
  expect((await createSweep(context, input)).sweep.number).toBe(sweep.number);
  expect(await context.db.sweep.count()).toBe(1);
  expect(await context.db.run.count({ where: { sweepId: sweep.id } })).toBe(2);
  await expect(
    createSweep(context, { ...input, file: { ...file, parameters: { neighbours: { values: [10, 20] } } } }),
  ).rejects.toMatchObject({ code: 'CONFLICT', path: 'key' });
});

test('agents are given the seeds of a confirmation once under a key', async () => {
  const file = { method: 'grid', kind: 'external', metric: { name: 'loss' }, parameters: { lr: { values: [1] } } };
  const { sweep } = await createSweep(context, { file });
  const { run } = await takeTrial(context, { sweep: sweep.id, runId: '0b0e6c1e-0000-4000-8000-000000000001' });
  await finishExternalRun(context, { runId: run!.id });
  const confirm = async (key: string) => await confirmSweep(context, { id: sweep.id, seeds: 2, trial: 0, key });
  for (const key of ['a', 'a', 'b']) expect(await confirm(key)).toEqual([]);
  expect(await listUntakenConfirmations(context.db, sweep.id, 2)).toHaveLength(4);
});

test('a sweep is given more to do once under a key', async () => {
  const file = {
    method: 'random',
    kind: 'external',
    metric: { name: 'loss' },
    run_cap: 2,
    parameters: { lr: { min: 0, max: 1 } },
  };
  const { sweep } = await createSweep(context, { file });
  const trialsAfter = async (key: string | null) => {
    const { definition } = await extendSweep(context, { id: sweep.id, trials: 3, key });
    return definition;
  };
  for (const [key, trials] of [
    ['a', 5],
    ['a', 5],
    ['b', 8],
    [null, 11],
    [null, 14],
    ['b', 14],
  ] as const) {
    expect(await trialsAfter(key)).toMatchObject({ budget: { trials } });
  }
});

test('a comparison is started once under a key, which is not that of another', async () => {
  const runs = await Promise.all(
    ['popularity', 'item-knn'].map(
      async (kind) => (await enqueueRuns(context, { ...basic, kind, project: 'decided' }))[0]!,
    ),
  );
  const [a = '', b = ''] = runs.map(({ number }) => String(number));
  const rights = { require: () => {}, codeSize: async () => null, within: null };
  const input = { a, b, metric: 'test/ndcg@10', key: 'which' };
  const decision = await decideComparison(context, input, rights);
  const again = await Promise.all([1, 2].map(() => decideComparison(context, input, rights)));
  expect(again.map(({ number }) => number)).toEqual([decision.number, decision.number]);
  const other = decideComparison(context, { ...input, metric: 'test/hr@10' }, rights);
  await expect(other).rejects.toMatchObject({ code: 'CONFLICT', path: 'key' });
  expect(await context.db.decision.count()).toBe(1);
});

test('a study is computed anew once under a key', async () => {
  const study = studyByName('overrec/table-2');
  const input = { rows: ['ml-1m'], columns: ['sknn'], fresh: true, key: 'again' };
  const { queued } = await reproduceStudy(context, study, input);
  expect(queued.length).toBeGreaterThan(0);
  expect(numbers((await reproduceStudy(context, study, input)).queued)).toEqual(numbers(queued));
  const other = await reproduceStudy(context, study, { ...input, key: 'once more' });
  expect(numbers(other.queued)).not.toEqual(numbers(queued));
});
