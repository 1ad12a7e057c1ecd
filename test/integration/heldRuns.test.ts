import { randomUUID } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { createLogger } from '#src/base/platform/logger.ts';
import { endAttempt } from '#src/attempts/endAttempt.ts';
import { requireRun } from '#src/runs/findRun.ts';
import { reconcileRuns } from '#src/attempts/reconcileRuns.ts';
import { registerWorker } from '#src/fleet/workers.ts';
import { runsAlone } from '#src/attempts/claimRun.ts';
import { WorkerTrouble } from '#workers/runtime/worker/workerTrouble.ts';
import { createDatabaseClock } from '#workers/runtime/worker/databaseClock.ts';
import { HeldRuns } from '#workers/runtime/worker/heldRuns.ts';
import { StandbyExecutors } from '#workers/runtime/worker/standbyExecutors.ts';
import { buildFixtures } from './runtime/buildFixtures.ts';
import { queueFixtureRuns } from './runtime/queueFixtureRuns.ts';
import { aHeldRun, aWorker, claim, expireLease, servicesForTests } from './services/support.ts';
import { postgresForTests } from './support/postgresForTests.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';
import { waitUntil } from './support/waitUntil.ts';

const postgres = await postgresForTests();
const context = await servicesForTests(postgres.url);
const folder = temporaryFolder();

/** A worker of this process with two executors. */
async function heldRuns(): Promise<HeldRuns> {
  const facts = { host: 'localhost', pid: 1, version: '0', backend: 'cpu', device: 'cpu', gpu: false, details: {} };
  const worker = { id: randomUUID(), name: 'worker', slots: 2, ...facts };
  await registerWorker(context, worker);
  const executors = new StandbyExecutors({ file: (await buildFixtures()).executor, niceness: 0 }, 2);
  afterAll(() => executors.close());
  const taskSettings = async () => ({
    apiUrl: 'http://127.0.0.1:1',
    threads: 1,
    dataFolders: [],
    offline: true,
    cacheFolder: folder,
    scratchFolder: folder,
    backend: null,
    arithmetic: 'plain' as const,
  });
  const log = createLogger('test', 'silent');
  return new HeldRuns({
    ...{ context, worker, executors, commandFile: builtFile('command.js'), commands: null, taskSettings, log },
    clock: createDatabaseClock(() => {}),
    trouble: new WorkerTrouble({ quick: [], thorough: [], onChange: () => {} }),
  });
}

it('an attempt that lost its run leaves the next one, on the same worker, within reach of a stop', async () => {
  const held = await heldRuns();
  const [run] = await queueFixtureRuns(context, { kind: 'polite' });
  const { id } = run!;
  const isRunning = (attempt: number) => async () => {
    const now = await requireRun(context, id);
    return now.state === 'RUNNING' && now.attempt === attempt;
  };
  const first = held.execute({ runId: id, attempt: 1 });
  await waitUntil('the first attempt', isRunning(1));
  await waitUntil('the run to be lost', async () => {
    await expireLease(context, id); // again where the attempt has just renewed it
    await reconcileRuns(context, { lastTickMs: 0, quietUntilMs: 0 }, () => 1_000);
    return (await requireRun(context, id)).state === 'QUEUED';
  });
  await context.db.run.update({ where: { id }, data: { notBefore: null } });
  const second = held.execute({ runId: id, attempt: 2 });
  await waitUntil('the second attempt', isRunning(2));
  held.lookAtAll();
  await first;
  await held.stop(60_000);
  expect(await requireRun(context, id)).toMatchObject({ state: 'QUEUED', attempt: 2 });
  await second;
});

it('a run begins while what the one before has told is still being recorded', async () => {
  const held = await heldRuns();
  const parameters = { points: 3, delayMs: 0, checkpointEvery: 0 };
  const [first, second] = await queueFixtureRuns(context, { kind: 'counter', parameters, count: 2 });
  const stateOf = async (run = first) => (await requireRun(context, run!.id)).state;
  await context.db.$transaction(
    async (connection) => {
      await connection.$executeRaw`LOCK TABLE metric_series IN EXCLUSIVE MODE`;
      await held.execute({ runId: first!.id, attempt: 1 });
      expect(await stateOf(first)).toBe('RUNNING');
      await held.execute({ runId: second!.id, attempt: 1 });
      expect(await stateOf(second)).toBe('RUNNING');
      expect(held.ids()).toEqual(new Set([first!.id, second!.id]));
    },
    { timeout: 60_000 },
  );
  await waitUntil('both to be recorded', async () => held.ids().size === 0);
  expect([await stateOf(first), await stateOf(second)]).toEqual(['SUCCEEDED', 'SUCCEEDED']);
});

it('a run that ran out of memory beside another is tried once more, alone', async () => {
  const worker = await aWorker(context);
  const outcome = { state: 'FAILED', error: { code: 'OUT_OF_MEMORY', message: 'the run ran out of memory' } } as const;
  const { run, holder } = await aHeldRun(context, worker);
  await endAttempt(context, { ...holder, outcome, besideOthers: true });
  expect(await requireRun(context, run.id)).toMatchObject({ state: 'QUEUED', attempt: 1 });
  expect(await runsAlone(context, { runId: run.id, attempt: 2 })).toBe(true);
  await claim(context, run, { worker, attempt: 2 });
  await endAttempt(context, { ...holder, attempt: 2, outcome, besideOthers: true });
  expect(await requireRun(context, run.id)).toMatchObject({ state: 'FAILED', errorCode: 'OUT_OF_MEMORY' });

  const alone = await aHeldRun(context, worker, { seeds: [2] });
  await endAttempt(context, { ...alone.holder, outcome });
  expect(await requireRun(context, alone.run.id)).toMatchObject({ state: 'FAILED', errorCode: 'OUT_OF_MEMORY' });
});
