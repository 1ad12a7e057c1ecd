import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '#src/base/platform/postgres/database.ts';
import { isAlive } from '#src/base/platform/processes/processTree.ts';
import { openRunQueue } from '#src/base/platform/queue/runQueue.ts';
import { pauseQueue, resumeQueue } from '#src/queue/pauseQueue.ts';
import { cancelRuns } from '#src/runs/cancelRuns.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { listRunTexts } from '#src/runs/store/runTexts.ts';
import { selectWorkers } from '#src/fleet/store/workerRecord.ts';
import { buildFixtures, type Fixtures } from './runtime/buildFixtures.ts';
import { queueFixtureRuns } from './runtime/queueFixtureRuns.ts';
import { attemptsOf, pointsOf, runOf, runsReach } from './runtime/runFacts.ts';
import { startProgram, type TestProgram } from './runtime/testWorkers.ts';
import { childrenOf } from './support/childrenOf.ts';
import { postgresServerForTests } from './support/postgresServerForTests.ts';
import { redisForTests } from './support/redisForTests.ts';
import { slowness } from './support/slowness.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';
import { waitUntil } from './support/waitUntil.ts';

const postgres = await postgresServerForTests({ durable: true });
const redis = await redisForTests();
const home = join(temporaryFolder(), 'home');
let fixtures: Fixtures;
beforeAll(async () => {
  fixtures = await buildFixtures();
});

describe.each([
  { backend: 'postgres', redisUrl: null },
  ...(redis === null ? [] : [{ backend: 'redis', redisUrl: redis.url }]),
])('a worker, queue in $backend', ({ redisUrl }) => {
  let databaseUrl: string;
  let db: Database;
  let context: ServiceContext;
  let worker: TestProgram;

  const startWorker = (): Promise<TestProgram> =>
    startProgram(fixtures.worker, {
      WARREN_HOME: home,
      DATABASE_URL: databaseUrl,
      WARREN_SLOTS: '2',
      WARREN_THREADS: '2',
      WARREN_API_URL: 'http://127.0.0.1:9',
      ...(redisUrl === null ? {} : { REDIS_URL: redisUrl }),
    });

  beforeAll(async () => {
    databaseUrl = await postgres.freshDatabase();
    db = openDatabase(databaseUrl);
    context = { db, queue: await openRunQueue({ databaseUrl, redisUrl }) };
    worker = await startWorker();
    mkdirSync(join(home, 'data'), { recursive: true });
    writeFileSync(join(home, 'data', 'my-shop.csv'), 'user,item\n');
  });
  afterAll(async () => {
    await worker.stop();
    await context.queue.close();
    await closeDatabase(db);
  });

  test('executes a run and records all that it tells', async () => {
    const [run] = await queueFixtureRuns(context, { kind: 'numbers' });
    const [ended] = await runsReach(db, [run!]);
    expect(ended).toMatchObject({ state: 'SUCCEEDED', attempt: 1, errorCode: null });
    expect(await pointsOf(db, run!.id, 'test/odd')).toEqual([
      { step: 0, value: Number.NaN },
      { step: 2 ** 53 - 1, value: Number.POSITIVE_INFINITY },
    ]);
    const [texts] = await listRunTexts(db, [run!.id]);
    expect(texts!.environment).toMatchObject({ seed: 0, node: process.version, timings: { compute: 2 } });
    expect(await attemptsOf(db, run!.id)).toMatchObject([{ number: 1, state: 'SUCCEEDED' }]);
    const lines = await db.$queryRaw<{ text: string }[]>`SELECT text FROM log_line WHERE run_id = ${run!.id}::uuid`;
    expect(lines).toEqual([{ text: 'a line' }]);
    expect((await pointsOf(db, run!.id, 'system/memory_mb')).length).toBeGreaterThan(0);
  });

  // what a worker does with a run that it holds is the same on both queues
  if (redisUrl === null) {
    test('is listed with its backend, device and machine', async () => {
      const [listed] = await selectWorkers(db, { includeStopped: false });
      expect(listed).toMatchObject({ pid: worker.pid, slots: 2, alive: true });
      expect(listed?.details).toMatchObject({ node: process.version, cores: expect.any(Number) });
      expect(listed?.device).not.toBe('');
      await waitUntil('it says which datasets have come', async () => {
        const [now] = await selectWorkers(db, { includeStopped: false });
        return Array.isArray(now?.details.datasets) && now.details.datasets.includes('my-shop');
      });
    });

    test.each(['polite', 'stubborn'])('cancels a %s run within two seconds', async (kind) => {
      const [run] = await queueFixtureRuns(context, { kind });
      await waitUntil('it computes', async () => (await pointsOf(db, run!.id, 'test/value')).length > 0);
      await cancelRuns(context, [run!.id]);
      const [ended] = await runsReach(db, [run!]);
      expect(ended!.state).toBe('CANCELLED');
      expect(ended!.endedAt!.getTime() - ended!.cancelRequestedAt!.getTime()).toBeLessThan(2_000 * slowness());
      expect(await attemptsOf(db, run!.id)).toMatchObject([{ number: 1, state: 'CANCELLED' }]);
    });

    test("ends a run at once when the experiment's own code fails, with message and stack", async () => {
      const [run] = await queueFixtureRuns(context, { kind: 'throws' });
      const [ended] = await runsReach(db, [run!]);
      expect(ended).toMatchObject({ state: 'FAILED', attempt: 1, errorCode: 'RUN_FAILED' });
      expect(ended!.errorMessage).toBe('the experiment is wrong');
      const [texts] = await listRunTexts(db, [run!.id]);
      expect(texts!.errorStack).toContain('at throws');
    });
  }

  test('tries a run again whose executor vanished, until its attempts are used up', async () => {
    const [run] = await queueFixtureRuns(context, { kind: 'vanishes', maxAttempts: 2 });
    const [ended] = await runsReach(db, [run!]);
    expect(ended).toMatchObject({ state: 'FAILED', attempt: 2, errorCode: 'WORKER_LOST' });
    expect(ended!.errorMessage).toContain('SIGKILL');
    const attempts = await attemptsOf(db, run!.id);
    expect(attempts.map(({ state, errorCode }) => [state, errorCode])).toEqual([
      ['FAILED', 'WORKER_LOST'],
      ['FAILED', 'WORKER_LOST'],
    ]);
  });

  test('leaves its runs to the queue at once when it is asked to stop, and nothing behind; another waits for a paused queue', async () => {
    const parameters = { points: 1_000, delayMs: 20, checkpointEvery: 0 };
    const runs = await queueFixtureRuns(context, { kind: 'counter', parameters, count: 2 });
    await runsReach(db, runs, { state: 'RUNNING' });
    const children = childrenOf(worker.pid);
    expect(children.length).toBeGreaterThanOrEqual(2);
    const exit = await worker.stop();
    expect(exit).toEqual({ code: 0, signal: null });
    expect(children.filter(isAlive)).toEqual([]);
    for (const run of runs) {
      expect(await runOf(db, run.id)).toMatchObject({ state: 'QUEUED', attempt: 1 });
      expect(await attemptsOf(db, run.id)).toMatchObject([{ state: 'LOST' }]);
    }
    expect(await selectWorkers(db, { includeStopped: false })).toEqual([]);
    await pauseQueue(context, null);
    worker = await startWorker();
    // It takes the jobs, and finds that their runs are paused.
    await waitUntil('no job is left', async () => (await context.queue.counts()).waiting === 0);
    for (const run of runs) expect((await runOf(db, run.id)).state).toBe('QUEUED');
    await resumeQueue(context, null);
    const startedMs = performance.now();
    await runsReach(db, runs, { state: 'RUNNING' });
    expect(performance.now() - startedMs).toBeLessThan(10_000 * slowness());
    await cancelRuns(
      context,
      runs.map(({ id }) => id),
    );
    await runsReach(db, runs);
  });

  describe.each([
    { where: 'on the same machine', withinMs: 20_000 },
    // what leases do is the same on both queues
    ...(redisUrl === null ? [{ where: 'elsewhere', withinMs: 40_000 }] : []),
  ])('when it is killed', ({ where, withinMs }) => {
    test(`leaves no executor behind, and a worker ${where} takes its runs within ${withinMs / 1000} s`, async () => {
      const points = 300; // long enough for all to be seen running at once
      const parameters = { points, delayMs: 20, checkpointEvery: 0 };
      const other = await startWorker();
      if (where === 'elsewhere') await db.$executeRaw`UPDATE worker SET details = details - 'process'`;
      const runs = await queueFixtureRuns(context, { kind: 'counter', parameters, count: 4 });
      await runsReach(db, runs, { state: 'RUNNING' });
      const children = childrenOf(worker.pid);
      await worker.kill();
      const killedMs = Date.now();
      await waitUntil('the executors have ended', () => !children.some(isAlive), 10_000);
      const ended = await runsReach(db, runs, { timeoutMs: 60_000 });
      expect(ended.map(({ state }) => state)).toEqual(runs.map(() => 'SUCCEEDED'));
      expect(ended.map(({ attempt }) => attempt).sort()).toEqual([1, 1, 2, 2]);
      const attempts = (await Promise.all(runs.map(({ id }) => attemptsOf(db, id)))).flat();
      const taken = attempts.filter(({ number }) => number === 2).map(({ startedAt }) => startedAt.getTime());
      expect(Math.max(...taken) - killedMs).toBeLessThan(withinMs * slowness());
      const steps = Array.from({ length: points }, (_, index) => index + 1);
      for (const run of runs) {
        expect(await pointsOf(db, run.id, 'train/count')).toEqual(steps.map((step) => ({ step, value: 2 * step })));
      }
      worker = other;
    });
  });

  test('goes on when PostgreSQL is killed and started again', async () => {
    const parameters = { points: 300, delayMs: 20, checkpointEvery: 0 };
    const runs = await queueFixtureRuns(context, { kind: 'counter', parameters, count: 3 });
    // Two, the others of which there are slots for: a claim that is cut off is given back, and makes another attempt.
    for (const run of runs.slice(0, 2)) {
      await waitUntil('it computes', async () => (await pointsOf(db, run.id, 'train/count')).length > 5);
    }
    await postgres.kill();
    await postgres.restart();
    const ended = await runsReach(db, runs, { timeoutMs: 60_000 });
    expect(ended.map(({ state, attempt }) => [state, attempt])).toEqual(runs.map(() => ['SUCCEEDED', 1]));
    const steps = Array.from({ length: 300 }, (_, index) => index + 1);
    for (const run of runs) {
      expect(await pointsOf(db, run.id, 'train/count')).toEqual(steps.map((step) => ({ step, value: 2 * step })));
    }
  });
});
