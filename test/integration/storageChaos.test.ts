import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openArtifactStore } from '#src/base/platform/artifacts/openArtifactStore.ts';
import { freePort } from '#src/base/platform/processes/freePort.ts';
import { checkArtifacts } from '#src/artifacts/checkArtifacts.ts';
import { collectArtifacts, sweepArtifacts } from '#src/artifacts/collectArtifacts.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { sizeFor } from '../config/proofs.ts';
import { buildFixtures } from './runtime/buildFixtures.ts';
import { startProgram, type TestProgram } from './runtime/testWorkers.ts';
import { servicesForTests } from './services/support.ts';
import { clientOf } from './support/apiForTests.ts';
import { apiProcessesForTests } from './support/apiProcessesForTests.ts';
import { postgresForTests } from './support/postgresForTests.ts';
import { s3ForTests } from './support/s3ForTests.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';
import { waitUntil } from './support/waitUntil.ts';

/** How often API and collector are killed by turns, for each store. */
const KILLS = sizeFor('chaos', { small: 2, full: 100 });
/** Between two kills. */
const UPLOADS = 4;
const SEED = 1;
const PATIENCE_MS = 120_000 + 60_000 * KILLS;
const WRITERS = 3;
/** More than one part of a bucket's upload. */
const LARGE_BYTES = 9_000_000;

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const fixtures = buildFixtures();
const startApi = apiProcessesForTests();
const s3 = await s3ForTests();

/** The few contents that all runs give and take. */
const CONTENTS = ['one', 'two', 'three', 'four', 'five', 'x'.repeat(LARGE_BYTES)].map((text) => Buffer.from(text));

/** Uploads, deletions and collections all at once while API and collector are killed: what is left must be whole. */
async function disturb(environment: Record<string, string>): Promise<{ databaseUrl: string; uploads: number }> {
  const postgres = await postgresForTests();
  const home = temporaryFolder();
  const port = await freePort(0);
  const common = { ...environment, WARREN_HOME: home, DATABASE_URL: postgres.url };
  /** Started again, as whoever supervises it would, when the machine is too busy for its first questions. */
  const api = async (tries = 5): Promise<ChildProcess> => {
    const started = startApi({ ...common, WARREN_PORT: String(port) });
    await waitUntil('the API', () => started.url ?? started.child.exitCode !== null, 120_000);
    if (started.url !== null) return started.child;
    if (tries === 1) throw new Error(`the API ended: ${started.stderr}`);
    return await api(tries - 1);
  };
  const collector = async (): Promise<TestProgram> => await startProgram((await fixtures).collector, common);
  const { ok, fetch } = clientOf(`http://127.0.0.1:${port}`);
  let running = { api: await api(), collector: await collector() };
  let uploads = 0;
  let isOver = false;

  /** Again and again until the API is there and agrees. */
  const surely = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    for (;;) {
      const answer = await ask().catch(() => null);
      if (answer !== null) return answer;
      await delay(50);
    }
  };
  const put = (path: string, content: Uint8Array, random: { nextInt(limit: number): number }) =>
    surely(async () => {
      const promised = random.nextInt(2) === 0 ? { 'x-content-sha256': sha256(content) } : {};
      const response = await fetch(`/artifacts/${path}`, {
        ...{ method: 'PUT', body: new Uint8Array(content), headers: { ...promised } },
      });
      if (response.status !== 201) throw new Error(await response.text());
      uploads += 1;
      return await response.text();
    });
  const createRun = (): Promise<string> =>
    surely(async () => (await ok('mutation { createRun(input: {}) { id } }')).createRun.id);

  const write = async (writer: number): Promise<Map<string, string>> => {
    const random = randomGenerator(SEED, `writer ${writer}`);
    const run = await createRun();
    const expected = new Map<string, string>();
    while (!isOver) {
      const path = `${run}/file-${random.nextInt(3)}`;
      const content = CONTENTS[random.nextInt(random.nextInt(8) === 0 ? CONTENTS.length : CONTENTS.length - 1)]!;
      await put(path, content, random);
      expected.set(path, sha256(content));
    }
    return expected;
  };
  const remove = async (): Promise<void> => {
    const random = randomGenerator(SEED, 'deleter');
    while (!isOver) {
      const run = await createRun();
      await put(`${run}/gone`, CONTENTS[random.nextInt(CONTENTS.length - 1)]!, random);
      const end = 'mutation ($id: ID!) { finishRun(runId: $id) { id } deleteRuns(ids: [$id]) { done } }';
      await ok(end, { id: run }).catch(() => {}); // one that was cut off stays, with its file
      await ok('mutation { emptyTrash(olderThanDays: 0) { runs } }').catch(() => {});
    }
  };
  const kill = async (): Promise<void> => {
    const random = randomGenerator(SEED, 'killer');
    for (let kills = 0; kills < KILLS; kills++) {
      const before = uploads;
      await waitUntil('uploads go on', () => uploads >= before + UPLOADS, 120_000);
      await delay(random.nextInt(60)); // somewhere within an upload
      if (kills % 2 === 0) {
        running.api.kill('SIGKILL');
        running = { ...running, api: await api() };
      } else {
        await running.collector.kill();
        running = { ...running, collector: await collector() };
      }
    }
    isOver = true;
  };
  const [, , ...written] = await Promise.all([
    kill(),
    remove(),
    ...Array.from({ length: WRITERS }, (_, writer) => write(writer)),
  ]);
  for (const expected of written) {
    for (const [path, digest] of expected) {
      const bytes = new Uint8Array(await (await fetch(`/artifacts/${path}`)).arrayBuffer());
      expect(sha256(bytes), path).toBe(digest);
    }
  }
  await running.collector.kill();
  running.api.kill('SIGKILL');
  await waitUntil('the API has ended', () => running.api.exitCode !== null || running.api.signalCode !== null);
  return { databaseUrl: postgres.url, uploads };
}

describe('writers, deleters and a collector, with the API and the collector killed', () => {
  const folder = join(temporaryFolder(), 'artifacts');
  const stores = [
    { name: 'a folder', place: folder, environment: { WARREN_ARTIFACTS: folder } },
    ...(s3 === null ? [] : [{ name: 'a bucket', place: s3.place, environment: s3.environment }]),
  ];
  test.each(stores)(
    'leave nothing without a reference and no reference without its file: $name',
    async (store) => {
      const { databaseUrl, uploads } = await disturb(store.environment);
      const context = await servicesForTests(databaseUrl);
      const artifacts = await openArtifactStore(store.place);
      await artifacts.removeAbandoned({ evenYoung: true });
      await sweepArtifacts(context, artifacts);
      // runs whose end was cut off hold their uploads until their lease runs out
      await context.db.run.updateMany({ data: { state: 'CRASHED' } });
      await collectArtifacts(context, artifacts, 0);
      const check = await checkArtifacts(context, artifacts, { read: true });
      console.info(`${store.name}: ${uploads} uploads, ${KILLS} kills, ${check.files} files left`);
      expect(check).toMatchObject({ wrong: [], orphans: [] });
      expect(check.files).toBeGreaterThan(0);
      expect((await artifacts.usage()).files).toBe(check.files);
    },
    PATIENCE_MS,
  );
});
