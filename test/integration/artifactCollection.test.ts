import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openArtifactStore } from '#src/base/platform/artifacts/openArtifactStore.ts';
import { collectArtifacts } from '#src/artifacts/collectArtifacts.ts';
import { endAttempt } from '#src/attempts/endAttempt.ts';
import { recordReports } from '#src/attempts/recordReports.ts';
import { keepArtifactFiles } from '#src/artifacts/store/artifactLock.ts';
import { inTransaction } from '#src/base/database/connection.ts';
import { buildFixtures } from './runtime/buildFixtures.ts';
import { queueFixtureRuns } from './runtime/queueFixtureRuns.ts';
import { runsReach } from './runtime/runFacts.ts';
import { startProgram } from './runtime/testWorkers.ts';
import { aHeldRun, aWorker, servicesForTests } from './services/support.ts';
import { apiForTests } from './support/apiForTests.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';
import { waitUntil } from './support/waitUntil.ts';

const api = await apiForTests({ collectEveryMs: 50 });
const { ok, artifactFolder } = api;
const context = await servicesForTests(api.postgres.url);
const fixtures = buildFixtures();

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Content in the store, as sha256. */
function stored(): string[] {
  return readdirSync(artifactFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /^[0-9a-f]{64}$/.test(entry.name))
    .map(({ name }) => name)
    .toSorted();
}

async function referenced(): Promise<string[]> {
  const artifacts = await context.db.artifact.findMany({ select: { sha256: true } });
  return [...new Set(artifacts.map((artifact) => artifact.sha256))].toSorted();
}

const onlyReferenced = () =>
  waitUntil('what is stored is what is referred to', async () => {
    return JSON.stringify(stored()) === JSON.stringify(await referenced());
  });

async function createRun(): Promise<string> {
  return (await ok('mutation { createRun(input: {}) { id } }')).createRun.id;
}

async function put(path: string, text: string): Promise<void> {
  const response = await api.fetch(`/artifacts/${path}`, { method: 'PUT', body: text });
  expect(response.status).toBe(201);
}

const textOf = async (path: string): Promise<string> => (await api.fetch(`/artifacts/${path}`)).text();

describe('content that nothing refers to', () => {
  test('is freed when another takes its name, and stays while another run has it', async () => {
    const [first, second] = [await createRun(), await createRun()];
    await put(`${first}/model`, 'old');
    await put(`${first}/other`, 'shared');
    await put(`${second}/model`, 'shared');
    await put(`${first}/model`, 'new');
    await put(`${first}/other`, 'newer');
    await waitUntil('the old model is gone', () => !stored().includes(sha256('old')));
    expect(await textOf(`${first}/model`)).toBe('new');
    expect(await textOf(`${second}/model`)).toBe('shared');
    await onlyReferenced();
  });

  test('is freed when an attempt ends that sent it and never recorded it', async () => {
    const worker = await aWorker(context);
    const { run, holder } = await aHeldRun(context, worker);
    await put(`${run.id}/lost?attempt=1`, 'never recorded');
    await put(`${run.id}/kept?attempt=1`, 'recorded later');
    // a whole round of the collector passes: other content comes and goes
    const other = await createRun();
    await put(`${other}/a`, 'passing');
    await put(`${other}/a`, 'passed');
    await waitUntil('the collector has been here', () => !stored().includes(sha256('passing')));
    expect(stored()).toEqual(expect.arrayContaining([sha256('never recorded'), sha256('recorded later')]));
    const report = { type: 'artifact', role: 'output', mediaType: 'text/plain', sizeBytes: 14 } as const;
    await recordReports(context, {
      ...holder,
      reports: [{ ...report, name: 'kept', sha256: sha256('recorded later') }],
    });
    await endAttempt(context, { ...holder, outcome: { state: 'SUCCEEDED' } });
    await waitUntil('what was never recorded is gone', () => !stored().includes(sha256('never recorded')));
    expect(await textOf(`${run.id}/kept`)).toBe('recorded later');
  });

  test('stays while a backup keeps the files, and uploads go on meanwhile', async () => {
    const run = await createRun();
    await put(`${run}/a`, 'before the backup');
    const store = await openArtifactStore(artifactFolder);
    await inTransaction(context.db, async (connection) => {
      await keepArtifactFiles(connection);
      await put(`${run}/a`, 'during the backup');
      expect(await collectArtifacts(context, store, 0)).toMatchObject({ files: 0 });
      expect(stored()).toContain(sha256('before the backup'));
    });
    await waitUntil('it is gone after the backup', () => !stored().includes(sha256('before the backup')));
  });

  test('a run of 20 epochs leaves its last checkpoint alone', async () => {
    const worker = await startProgram((await fixtures).worker, {
      WARREN_HOME: temporaryFolder(),
      DATABASE_URL: api.postgres.url,
      WARREN_API_URL: api.url,
    });
    const parameters = { points: 20, delayMs: 5, checkpointEvery: 1 };
    const [run] = await queueFixtureRuns(context, { kind: 'counter', parameters });
    const [ended] = await runsReach(context.db, [run!]);
    expect(ended).toMatchObject({ state: 'SUCCEEDED' });
    await worker.stop();
    await onlyReferenced();
    const own = await context.db.artifact.findMany({ where: { runId: run!.id } });
    expect(own.map(({ name, step }) => [name, Number(step)])).toEqual([['checkpoint/latest', 20]]);
    expect(stored()).toContain(sha256('20'));
    expect(
      stored().filter((name) => Array.from({ length: 19 }, (_, i) => sha256(String(i + 1))).includes(name)),
    ).toEqual([]);
  });
});

describe('while other processes collect and are killed', () => {
  test('the same content comes, goes and comes again, and never gets lost', async () => {
    const environment = {
      DATABASE_URL: api.postgres.url,
      WARREN_ARTIFACTS: artifactFolder,
      WARREN_HOME: artifactFolder,
    };
    const { collector } = await fixtures;
    let stop = false;
    const kills = async (): Promise<void> => {
      for (let kill = 0; kill < 3; kill++) {
        const program = await startProgram(collector, environment);
        const before = uploads;
        await waitUntil('uploads go on', () => uploads >= before + 20);
        await program.kill();
      }
      stop = true;
    };
    let uploads = 0;
    const runs = await Promise.all(Array.from({ length: 4 }, createRun));
    const send = async (run: string): Promise<void> => {
      for (let turn = 0; !stop; turn++) {
        // all runs give and take the same three contents
        const text = `content ${turn % 3}`;
        await put(`${run}/a`, text);
        expect(await textOf(`${run}/a`)).toBe(text);
        uploads += 1;
      }
    };
    await Promise.all([kills(), ...runs.map(send)]);
    expect(statSync(join(artifactFolder, 'incoming')).isDirectory()).toBe(true);
    await onlyReferenced();
    for (const run of runs) expect(await textOf(`${run}/a`)).toMatch(/^content \d$/);
  }, 60_000);
});
