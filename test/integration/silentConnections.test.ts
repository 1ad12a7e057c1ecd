import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '#src/base/platform/postgres/database.ts';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { openRunQueue } from '#src/base/platform/queue/runQueue.ts';
import { createReconcilerState, reconcileRuns } from '#src/attempts/reconcileRuns.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { buildFixtures, type Fixtures } from './runtime/buildFixtures.ts';
import { queueFixtureRuns } from './runtime/queueFixtureRuns.ts';
import { attemptsOf, pointsOf, runOf, runsReach } from './runtime/runFacts.ts';
import { startProgram, type TestProgram } from './runtime/testWorkers.ts';
import { apiForTests } from './support/apiForTests.ts';
import { postgresForTests } from './support/postgresForTests.ts';
import { redisForTests } from './support/redisForTests.ts';
import { silentProxy } from './support/silentProxy.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';
import { waitUntil } from './support/waitUntil.ts';

const postgres = await postgresForTests();
const redis = await redisForTests();
const home = join(temporaryFolder(), 'home');
let fixtures: Fixtures;
beforeAll(async () => {
  fixtures = await buildFixtures();
});

interface WorkerPlace {
  databaseUrl: string;
  redisUrl?: string;
  statementSeconds: number;
  silenceSeconds: number;
}

const startWorker = (place: WorkerPlace): Promise<TestProgram> =>
  startProgram(fixtures.worker, {
    WARREN_HOME: home,
    DATABASE_URL: place.databaseUrl,
    WARREN_SLOTS: '1',
    WARREN_THREADS: '1',
    WARREN_API_URL: 'http://127.0.0.1:9',
    WARREN_STATEMENT_SECONDS: String(place.statementSeconds),
    WARREN_SILENCE_SECONDS: String(place.silenceSeconds),
    ...(place.redisUrl === undefined ? {} : { REDIS_URL: place.redisUrl }),
  });

const closers: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Straight to the servers, past the proxies. */
async function directly(databaseUrl: string, redisUrl: string | null = null): Promise<ServiceContext> {
  const db: Database = openDatabase(databaseUrl, { poolSize: 3 });
  // it gives up after five seconds, which a busy machine may need
  const queue = await waitUntil('the queue', () => openRunQueue({ databaseUrl, redisUrl }).catch(() => null), 60_000);
  closers.push(
    () => queue.close(),
    () => closeDatabase(db),
  );
  return { db, queue };
}

/** Waits until the run has succeeded, while runs are reconciled as an API does it. */
async function succeeds(context: ServiceContext, run: { id: string }): Promise<void> {
  const state = createReconcilerState();
  await waitUntil(
    'the run succeeds',
    async () => {
      await reconcileRuns(context, state);
      return (await runOf(context.db, run.id)).state === 'SUCCEEDED';
    },
    120_000,
  );
}

describe.concurrent('connections that die in silence', () => {
  test('the API answers again, over HTTP, in /health and in subscriptions', async () => {
    const proxy = await silentProxy(postgres.url);
    const answerLimits = { statementMs: 2_000, silenceMs: 3_000 };
    const api = await apiForTests({ postgres, databaseUrl: proxy.url, answerLimits });
    const client = api.socket();
    closers.push(async () => client.dispose());
    const seen: string[] = [];
    client.subscribe<{ runChanged: { name: string } }>(
      { query: 'subscription { runChanged { name } }' },
      {
        next: ({ data }) => void seen.push(data?.runChanged.name ?? ''),
        error: () => {},
        complete: () => {},
      },
    );
    await waitUntil('the subscription', () => api.server.subscriptionCount() === 1);
    const count = () => api.graphql('{ runs(first: 1) { totalCount } }');
    await Promise.all(Array.from({ length: 8 }, count));
    proxy.silence();
    await waitUntil('an answer', async () => (await count()).errors.length === 0, 30_000);
    await waitUntil('health', async () => (await api.fetch('/health')).status === 200, 30_000);
    const create = 'mutation ($name: String!) { createRun(input: { name: $name }) { id } }';
    await waitUntil(
      'a change',
      async () => {
        await api.graphql(create, { name: 'after the silence' });
        await delay(500);
        return seen.includes('after the silence');
      },
      30_000,
    );
  });

  test('a worker keeps its run, and takes the next one', async () => {
    const databaseUrl = await postgres.freshDatabase();
    const context = await directly(databaseUrl);
    const proxy = await silentProxy(databaseUrl);
    const worker = await startWorker({ databaseUrl: proxy.url, statementSeconds: 5, silenceSeconds: 6 });
    const parameters = { points: 80, delayMs: 50, checkpointEvery: 0 };
    const [run] = await queueFixtureRuns(context, { kind: 'counter', parameters });
    await waitUntil('points', async () => (await pointsOf(context.db, run!.id, 'train/count')).length > 5);
    proxy.silence();
    const [ended] = await runsReach(context.db, [run!], { timeoutMs: 60_000 });
    expect(ended?.state).toBe('SUCCEEDED');
    expect(await pointsOf(context.db, run!.id, 'train/count')).toHaveLength(80);
    const [next] = await queueFixtureRuns(context, { kind: 'numbers' });
    await succeeds(context, next!);
    await worker.stop();
  });

  test.skipIf(redis === null)('a worker whose Redis fell silent takes jobs again', async () => {
    const databaseUrl = await postgres.freshDatabase();
    const redisUrl = redis?.url ?? '';
    const context = await directly(databaseUrl, redisUrl);
    const proxy = await silentProxy(redisUrl);
    const place = { databaseUrl, redisUrl: proxy.url, statementSeconds: 5, silenceSeconds: 7 };
    const worker = await startWorker(place);
    const [first] = await queueFixtureRuns(context, { kind: 'numbers' });
    await runsReach(context.db, [first!], { state: 'SUCCEEDED' });
    proxy.silence();
    const [second] = await queueFixtureRuns(context, { kind: 'numbers' });
    await succeeds(context, second!);
    await worker.stop();
  });

  test('the run of a worker whose host vanished inside a flush is taken over', async () => {
    const databaseUrl = await postgres.freshDatabase();
    const context = await directly(databaseUrl);
    const proxy = await silentProxy(databaseUrl);
    const vanishing = await startWorker({ databaseUrl: proxy.url, statementSeconds: 5, silenceSeconds: 6 });
    const parameters = { points: 60, delayMs: 50, checkpointEvery: 0 };
    const [run] = await queueFixtureRuns(context, { kind: 'counter', parameters });
    await waitUntil('points', async () => (await pointsOf(context.db, run!.id, 'train/count')).length > 0);

    // its flush has locked the row of the run, and waits for the table of points
    const other = await connectPostgres(databaseUrl, { applicationName: 'test' });
    await other.query('BEGIN; LOCK TABLE metric_point IN EXCLUSIVE MODE');
    await waitUntil('a flush under way', async () => {
      const waiting = await other.query(`SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'relation'`);
      return (waiting.rowCount ?? 0) > 0;
    });
    proxy.silence();
    proxy.silenceNew(true);
    await vanishing.kill();
    await other.query('COMMIT');
    await other.end();

    const state = createReconcilerState();
    state.lastTickMs = performance.now();
    await waitUntil('the lease runs out', async () => (await reconcileRuns(context, state)).lost === 1, 60_000);
    const heir = await startWorker({ databaseUrl, statementSeconds: 15, silenceSeconds: 20 });
    const [ended] = await runsReach(context.db, [run!]);
    expect(ended?.state).toBe('SUCCEEDED');
    expect(await attemptsOf(context.db, run!.id)).toMatchObject([{ state: 'LOST' }, { state: 'SUCCEEDED' }]);
    expect((await runOf(context.db, run!.id)).attempt).toBe(2);
    await heir.stop();
  });
});
