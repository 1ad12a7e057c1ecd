import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { finishExternalRun } from '#src/external/externalRuns.ts';
import { cancelSweep, pauseSweep } from '#src/sweeps/changeSweep.ts';
import { confirmSweep } from '#src/sweeps/confirmSweep.ts';
import { createSweep } from '#src/sweeps/createSweep.ts';
import { requireSweep } from '#src/sweeps/findSweep.ts';
import { readSweep } from '#src/sweeps/sweepView.ts';
import { takeTrial } from '#src/sweeps/takeTrial.ts';
import { listConfirmations } from '#src/sweeps/store/sweepTrial.ts';
import { listUntakenConfirmations } from '#src/sweeps/store/sweepConfirmation.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { servicesForTests } from '../services/support.ts';

const postgres = await postgresForTests();
const context = await servicesForTests(postgres.url);

const FILE = {
  ...{ method: 'grid', kind: 'external', seeds: [3], maxAttempts: 2, metric: { name: 'loss' } },
  ...{ command: ['sh', 'train.sh', '{lr}', '{seed}'], parameters: { lr: { values: [0.1, 0.2] } } },
};

/** A sweep whose first trial has ended. */
async function begunSweep() {
  const { sweep } = await createSweep(context, { file: FILE });
  const take = async (runId: string = randomUUID()) => await takeTrial(context, { sweep: sweep.id, runId });
  const { run } = await take();
  await finishExternalRun(context, { runId: run!.id });
  const confirm = async (seeds: number) => await confirmSweep(context, { id: sweep.id, seeds, trial: 0 });
  const untaken = async () => (await listUntakenConfirmations(context.db, sweep.id, 2)).map(({ seed }) => seed);
  return { ...sweep, take, confirm, untaken };
}

test('agents confirm a trial with fresh seeds, each seed once, also while the sweep is paused', async () => {
  const { id, take, confirm, untaken } = await begunSweep();
  await pauseSweep(context, id);
  expect(await confirm(2)).toEqual([]);
  expect(await untaken()).toEqual([4, 5]);
  const asked = randomUUID();
  const [first, second] = await Promise.all([take(asked), take()]);
  expect([first.run?.seed, second.run?.seed].sort()).toEqual([4, 5]);
  expect(first).toMatchObject({
    ...{ outcome: 'TAKEN', trial: 0, point: { lr: 0.1 }, line: ['sh', 'train.sh', '0.1', String(first.run?.seed)] },
    run: { state: 'RUNNING', tags: ['confirm'], sweepTrial: null, name: expect.stringMatching(/trial 0, confirmed$/) },
  });
  expect((await take(asked)).run?.id).toBe(first.run?.id);
  expect(await take()).toMatchObject({ outcome: 'WAIT', reason: 'paused by hand' });
  expect(await confirm(1)).toEqual([]);
  expect(await untaken()).toEqual([6]);
  const { trials } = await readSweep(context.db, await requireSweep(context, id));
  expect(trials.map(({ number }) => number)).toEqual([0]);
  expect((await listConfirmations(context.db, id, 10)).map(({ seed }) => seed).sort()).toEqual([4, 5]);
});

test('a confirmation whose agent was lost is taken again, as often as a trial may be tried', async () => {
  const { id, take, confirm, untaken } = await begunSweep();
  await pauseSweep(context, id);
  await confirm(1);
  const lose = async (runId: string) =>
    await context.db.run.update({ where: { id: runId }, data: { state: 'CRASHED' } });
  const first = await take();
  expect(await untaken()).toEqual([]);
  await lose(first.run!.id);
  const second = await take();
  expect([first.run?.seed, second.run?.seed]).toEqual([4, 4]);
  await lose(second.run!.id);
  expect(await take()).toMatchObject({ outcome: 'WAIT', run: null });
});

test('a sweep that is cancelled drops what no agent has taken', async () => {
  const { id, take, confirm, untaken } = await begunSweep();
  await confirm(2);
  await take();
  await cancelSweep(context, id);
  expect(await untaken()).toEqual([]);
  expect(await take()).toMatchObject({ outcome: 'ENDED', reason: 'cancelled by hand' });
  await expect(confirmSweep(context, { id, trial: 7 })).rejects.toThrow(/has no trial 7$/);
});
