import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openArtifactStore } from '#src/platform/artifacts/artifactStore.ts';
import { collectArtifacts } from '#src/services/artifacts/collectArtifacts.ts';
import { issueToken } from '#src/services/tokens/apiTokens.ts';
import { storeProblem } from '#src/services/artifacts/storeOwnership.ts';
import { insertRunInputs } from '#src/store/runs/runInput.ts';
import { servicesForTests } from './services/support.ts';
import { apiForTests } from './support/apiForTests.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';
import { waitUntil } from './support/waitUntil.ts';
import { runWarren } from './support/warrenCommand.ts';

const api = await apiForTests({ collectEveryMs: 50 });
const { ok } = api;
const context = await servicesForTests(api.postgres.url);
const DAY_MS = 24 * 3600 * 1000;

const clean = (...parameters: string[]) =>
  runWarren(['clean', ...parameters], { WARREN_API_URL: api.url, WARREN_HOME: temporaryHome });
const temporaryHome = temporaryFolder();

/** A finished run with a file of so many bytes, in the trash for so many days. */
async function deletedRun(days: number, content: string): Promise<{ id: string; number: number }> {
  const { createRun } = await ok('mutation { createRun(input: {}) { id number } }');
  const { id } = createRun;
  expect((await api.fetch(`/artifacts/${id}/file`, { method: 'PUT', body: content })).status).toBe(201);
  await ok(
    'mutation ($id: ID!) { logMetrics(runId: $id, series: [{ name: "test/a", steps: [1], values: [2] }]) finishRun(runId: $id) { id } deleteRuns(ids: [$id]) { done } }',
    { id },
  );
  await context.db.run.update({ where: { id }, data: { deletedAt: new Date(Date.now() - days * DAY_MS) } });
  return createRun;
}

const isThere = async ({ id }: { id: string }) => (await context.db.run.count({ where: { id } })) === 1;

function storedFiles(): number {
  return readdirSync(api.artifactFolder, { recursive: true }).filter((name) => /[0-9a-f]{64}$/.test(String(name)))
    .length;
}

describe('warren clean', () => {
  test('deletes for good what is in the trash for long enough, with its files, and says what that frees', async () => {
    const [old, young] = [await deletedRun(31, 'a'.repeat(1000)), await deletedRun(29, 'b'.repeat(10))];
    const shared = await deletedRun(40, 'b'.repeat(10));

    const dry = await clean('--older-than', '30d', '--dry-run', '--json');
    expect(JSON.parse(dry.stdout)).toEqual({ dryRun: true, runs: 2, files: 1, bytes: 1000, kept: [] });
    expect(await isThere(old)).toBe(true);

    const { storage } = await ok('{ storage { referencedBytes trashRuns trashBytes freeBytes problem } }');
    expect(storage).toMatchObject({ referencedBytes: 1010, trashRuns: 3, trashBytes: 1010, problem: null });
    expect(storage.freeBytes).toBeGreaterThan(0);

    const done = await clean('--older-than', '30d');
    expect(done.stdout).toBe('Deleted for good: 2 runs, 1 file, 1000 B\n');
    expect([await isThere(old), await isThere(shared), await isThere(young)]).toEqual([false, false, true]);
    await waitUntil('the file of the old run is gone', () => storedFiles() === 1);
    expect(await (await api.fetch(`/artifacts/${young.id}/file`)).text()).toBe('b'.repeat(10));
    expect(await context.db.metricSeries.count({ where: { runId: old.id } })).toBe(0);
  });

  test('keeps a run that another one uses as an input, and what that needs in turn', async () => {
    const [first, second] = [await deletedRun(50, 'first'), await deletedRun(50, 'second')];
    const { createRun: user } = await ok('mutation { createRun(input: {}) { id number } }');
    const input = (source: { id: string }) => [{ name: 'embedding', sourceRunId: source.id, artifactName: 'file' }];
    await insertRunInputs(context.db, [second.id], input(first));
    await insertRunInputs(context.db, [user.id], input(second));

    const { stdout } = await clean('--older-than', '45d');
    expect(stdout).toContain(`run #${user.number} uses what it left`);
    expect(stdout).toContain(`run #${second.number} uses what it left`);
    expect([await isThere(first), await isThere(second)]).toEqual([true, true]);

    await context.db.runInput.deleteMany({ where: { runId: user.id } });
    expect((await clean('--older-than', '45d')).stdout).toContain('Deleted for good: 2 runs, 2 files');
  });

  test('refuses what is no age, in one line', async () => {
    const { code, stderr } = await clean('--older-than', 'a month');
    expect(stderr).toBe(
      'warren: --older-than: expected a number and a unit (s, m, h, d, w) such as 30d, not "a month"\n',
    );
    expect(code).toBe(2);
  });
});

test('only an admin empties the trash; with WARREN_TRASH_DAYS the API does so by itself', async () => {
  const run = await deletedRun(3, 'kept until then');
  const guarded = await apiForTests({ postgres: api.postgres, requireToken: true, artifactFolder: api.artifactFolder });
  const { token } = await issueToken(context, { name: 'writer', role: 'WRITE', expiresAt: null });
  const refused = await guarded.graphql(
    'mutation { emptyTrash(olderThanDays: 0) { runs } }',
    {},
    { authorization: `Bearer ${token}` },
  );
  expect(refused.errors[0]?.extensions.code).toBe('FORBIDDEN');
  expect(await isThere(run)).toBe(true);

  const keeping = { postgres: api.postgres, artifactFolder: api.artifactFolder, trashDays: 2 };
  await apiForTests(keeping);
  await waitUntil('the run is gone', async () => !(await isThere(run)));
});

test('nothing is removed from a store that another database has used', async () => {
  const store = await openArtifactStore(api.artifactFolder);
  expect(await storeProblem(context, store)).toBeNull();
  const other = await servicesForTests(await api.postgres.freshDatabase());
  for (const services of [other, context]) {
    expect(await storeProblem(services, store)).toContain('another database used this artifact store');
  }
  const before = storedFiles();
  const { createRun } = await ok('mutation { createRun(input: {}) { id } }');
  for (const body of ['one', 'two']) await api.fetch(`/artifacts/${createRun.id}/a`, { method: 'PUT', body });
  expect(await collectArtifacts(context, store, 0)).toEqual({ files: 0, bytes: 0 });
  expect(storedFiles()).toBe(before + 2);
});
