import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { closeDatabase, type Database, openDatabase } from '#src/base/platform/postgres/database.ts';
import { freePort } from '#src/base/platform/processes/freePort.ts';
import { openRunQueue } from '#src/base/platform/queue/runQueue.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { findCheckpoint, listArtifacts } from '#src/artifacts/store/artifactRecord.ts';
import { insertRunInputs } from '#src/runs/store/runInput.ts';
import { buildFixtures } from './runtime/buildFixtures.ts';
import { queueFixtureRuns } from './runtime/queueFixtureRuns.ts';
import { attemptsOf, pointsOf, runsReach } from './runtime/runFacts.ts';
import { startProgram, type TestProgram } from './runtime/testWorkers.ts';
import { postgresForTests } from './support/postgresForTests.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';
import { waitUntil } from './support/waitUntil.ts';

const postgres = await postgresForTests();

describe('a worker and the artifact store of the API', async () => {
  const home = join(temporaryFolder(), 'home');
  const port = await freePort(0);
  const url = `http://127.0.0.1:${port}`;
  const environment = {
    WARREN_HOME: home,
    DATABASE_URL: postgres.url,
    WARREN_PORT: String(port),
    WARREN_API_URL: url,
    WARREN_LOG: 'warn',
  };
  let workerFile: string;
  let db: Database;
  let context: ServiceContext;
  let api: TestProgram;
  let worker: TestProgram;

  const linesOf = async (runId: string): Promise<string[]> => {
    const rows = await db.$queryRaw<{ text: string }[]>`
      SELECT text FROM log_line WHERE run_id = ${runId}::uuid ORDER BY attempt, line`;
    return rows.map(({ text }) => text);
  };

  beforeAll(async () => {
    workerFile = (await buildFixtures()).worker;
    db = openDatabase(postgres.url);
    context = { db, queue: await openRunQueue({ databaseUrl: postgres.url, redisUrl: null }) };
    api = await startProgram(builtFile('api.js'), environment);
    worker = await startProgram(workerFile, environment);
  });
  afterAll(async () => {
    await Promise.all([worker.stop(), api.stop()]);
    await context.queue.close();
    await closeDatabase(db);
  });

  test('artifacts of a run can be read from the API, and are inputs of another', async () => {
    const [first] = await queueFixtureRuns(context, { kind: 'artifacts' });
    await runsReach(db, [first!]);
    const artifacts = await listArtifacts(db, [first!.id]);
    expect(artifacts.map(({ name, role, sizeBytes, step }) => [name, role, sizeBytes, step])).toEqual([
      ['checkpoint/latest', 'checkpoint', 7, 1],
      ['folder/result.txt', 'output', 6, null],
    ]);
    const response = await fetch(`${url}/artifacts/${first!.id}/folder/result.txt`);
    expect(await response.text()).toBe('result');

    const source = { name: 'embedding', sourceRunId: first!.id, artifactName: 'folder/result.txt' };
    const [second] = await queueFixtureRuns(context, {
      kind: 'artifacts',
      prepare: (connection, ids) => insertRunInputs(connection, ids, [source]),
    });
    const [ended] = await runsReach(db, [second!]);
    expect(ended!.state).toBe('SUCCEEDED');
    expect(await linesOf(second!.id)).toContain('input embedding: result');
  });

  test('an interrupted run goes on from its last checkpoint and leaves every point once', async () => {
    const parameters = { points: 60, delayMs: 20, checkpointEvery: 10, holdAt: 35 };
    const [run] = await queueFixtureRuns(context, { kind: 'counter', parameters });
    await waitUntil('a checkpoint', async () => ((await findCheckpoint(db, run!.id))?.step ?? 0) >= 10);
    await worker.stop();
    const checkpoint = await findCheckpoint(db, run!.id);
    worker = await startProgram(workerFile, environment);
    const [ended] = await runsReach(db, [run!]);
    expect(ended).toMatchObject({ state: 'SUCCEEDED', attempt: 2 });
    expect(await attemptsOf(db, run!.id)).toMatchObject([
      { state: 'LOST', resumedFromStep: null },
      { state: 'SUCCEEDED', resumedFromStep: checkpoint!.step },
    ]);
    const points = await pointsOf(db, run!.id, 'train/count');
    expect(points).toEqual(Array.from({ length: 60 }, (_, index) => ({ step: index + 1, value: 2 * (index + 1) })));
  });

  test.each([
    ['flipped', (bytes: Buffer) => Buffer.from(bytes.map((byte) => byte ^ 1))],
    ['cut off', (bytes: Buffer) => bytes.subarray(1)],
    ['gone', () => null],
  ])('a run whose checkpoint is %s begins anew and says so', async (_how, damage) => {
    const parameters = { points: 30, delayMs: 10, checkpointEvery: 10, holdAt: 25, how: _how };
    const [run] = await queueFixtureRuns(context, { kind: 'counter', parameters });
    const checkpoint = await waitUntil('a checkpoint', async () => {
      const found = await findCheckpoint(db, run!.id);
      return (found?.step ?? 0) >= 20 && found;
    });
    await worker.stop();
    const path = join(home, 'artifacts', checkpoint.sha256.slice(0, 2), checkpoint.sha256);
    const damaged = damage(readFileSync(path));
    if (damaged === null) rmSync(path);
    else writeFileSync(path, damaged);
    // where there is no checkpoint the experiment would stay at its hold for good
    await db.$executeRaw`UPDATE configuration SET parameters = parameters - 'holdAt' WHERE hash = ${run!.configurationHash}`;
    worker = await startProgram(workerFile, environment);
    const [ended] = await runsReach(db, [run!]);
    expect(ended).toMatchObject({ state: 'SUCCEEDED', attempt: 2 });
    expect(await attemptsOf(db, run!.id)).toMatchObject([
      { state: 'LOST' },
      { state: 'SUCCEEDED', resumedFromStep: null },
    ]);
    const points = await pointsOf(db, run!.id, 'train/count');
    expect(points).toEqual(Array.from({ length: 30 }, (_, index) => ({ step: index + 1, value: 2 * (index + 1) })));
    const words = 'the checkpoint at step 20 cannot be used, so the run begins anew: ';
    expect((await linesOf(run!.id)).some((line) => line.startsWith(words))).toBe(true);
    const events = await db.runEvent.findMany({ where: { runId: run!.id, type: 'restarted' } });
    expect(events.map(({ message }) => message)).toEqual([expect.stringContaining(words)]);
  });

  test('waits with its artifacts while the API is away, and computes on', async () => {
    await api.kill();
    const [run] = await queueFixtureRuns(context, { kind: 'artifacts' });
    const waits = async () => (await linesOf(run!.id)).some((line) => line.includes('cannot be stored yet'));
    await waitUntil('it says that it waits', waits);
    expect(await pointsOf(db, run!.id, 'train/loss')).toEqual([{ step: 1, value: 0.5 }]);
    api = await startProgram(builtFile('api.js'), environment);
    const [ended] = await runsReach(db, [run!]);
    expect(ended!.state).toBe('SUCCEEDED');
    expect(await listArtifacts(db, [run!.id])).toHaveLength(2);
  });
});
