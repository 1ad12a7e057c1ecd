import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openArtifactStore } from '#src/platform/artifacts/openArtifactStore.ts';
import { collectArtifacts } from '#src/services/artifacts/collectArtifacts.ts';
import { issueToken } from '#src/services/tokens/apiTokens.ts';
import { storeProblem } from '#src/services/artifacts/storeOwnership.ts';
import { insertRunInputs } from '#src/store/runs/runInput.ts';
import { endAttempt } from '#src/services/attempts/endAttempt.ts';
import { recordReports } from '#src/services/reports/recordReports.ts';
import { aHeldRun, aWorker, servicesForTests } from './services/support.ts';
import { apiForTests } from './support/apiForTests.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';
import { waitUntil } from './support/waitUntil.ts';
import { runWarren } from './support/warrenCommand.ts';

const api = await apiForTests({ collectEveryMs: 50 });
const { ok } = api;
const context = await servicesForTests(api.postgres.url);
const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
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
    expect(JSON.parse(dry.stdout)).toEqual({ dryRun: true, runs: 2, files: 1, bytes: 1000, kept: [], reports: 0 });
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
  const guarded = await apiForTests({ postgres: api.postgres, requireToken: true, artifacts: api.artifactFolder });
  const { token } = await issueToken(context, { name: 'writer', role: 'WRITE', expiresAt: null });
  const refused = await guarded.graphql(
    'mutation { emptyTrash(olderThanDays: 0) { runs } }',
    {},
    { authorization: `Bearer ${token}` },
  );
  expect(refused.errors[0]?.extensions.code).toBe('FORBIDDEN');
  expect(await isThere(run)).toBe(true);

  const keeping = { postgres: api.postgres, artifacts: api.artifactFolder, trashDays: 2 };
  await apiForTests(keeping);
  await waitUntil('the run is gone', async () => !(await isThere(run)));
});

test('a project with a quota refuses what is beyond it, and says what it holds and what can be done', async () => {
  await ok(
    'mutation { createProject(name: "small") { id } setProjectQuota(project: "small", bytes: 1000) { quotaBytes } }',
  );
  const { createRun } = await ok('mutation { createRun(input: { project: "small" }) { id } }');
  const put = (name: string, body: string, headers = {}) =>
    api.fetch(`/artifacts/${createRun.id}/${name}`, { method: 'PUT', body, headers });
  expect((await put('a', 'a'.repeat(600))).status).toBe(201);
  const refused = await put('b', 'b'.repeat(500));
  expect(refused.status).toBe(413);
  expect(await refused.text()).toContain(
    'project \\"small\\" holds 600 B in 1 files of the 1000 B that it may, and \\"b\\" has 500 B; delete runs',
  );
  expect((await put('a', 'c'.repeat(900))).status).toBe(201); // in the place of the 600
  expect((await put('same', 'c'.repeat(900), { 'x-content-sha256': digestOf('c'.repeat(900)) })).status).toBe(201);
  const { projectStorage } = await ok('{ projectStorage { name files bytes trashBytes quotaBytes } }');
  expect(projectStorage).toContainEqual({ name: 'small', files: 1, bytes: 900, trashBytes: 0, quotaBytes: 1000 });
  const lifted = await runWarren(['project', 'quota', 'small', 'none'], {
    WARREN_API_URL: api.url,
    WARREN_HOME: temporaryHome,
  });
  expect(lifted.stdout).toContain('small holds 900 B, without a limit');
  expect((await put('b', 'b'.repeat(500))).status).toBe(201);
});

test('checkpoints of runs that ended long ago are removed, but for what other runs use', async () => {
  const worker = await aWorker(context);
  const old = await aHeldRun(context, worker);
  const recent = await aHeldRun(context, worker);
  const put = async (run: string, name: string, body: string) =>
    expect((await api.fetch(`/artifacts/${run}/${name}?attempt=1`, { method: 'PUT', body })).status).toBe(201);
  for (const { run, holder } of [old, recent]) {
    const common = { type: 'artifact', mediaType: 'text/plain' } as const;
    const files = [
      { ...common, role: 'checkpoint' as const, name: 'checkpoint/latest', step: 3 },
      { ...common, role: 'checkpoint' as const, name: 'checkpoint/used', step: 2 },
      { ...common, role: 'output' as const, name: 'model' },
    ];
    for (const { name } of files) await put(run.id, name, `${name} of ${run.id}`);
    const reports = files.map((file) => {
      const body = `${file.name} of ${run.id}`;
      return { ...file, sha256: digestOf(body), sizeBytes: body.length };
    });
    await recordReports(context, { ...holder, reports });
    await endAttempt(context, { ...holder, outcome: { state: 'SUCCEEDED' } });
  }
  await context.db.run.update({ where: { id: old.run.id }, data: { endedAt: new Date(Date.now() - 8 * DAY_MS) } });
  const { createRun } = await ok('mutation { createRun(input: {}) { id } }');
  const input = { name: 'start', sourceRunId: old.run.id, artifactName: 'checkpoint/used' };
  await insertRunInputs(context.db, [createRun.id], [input]);
  const names = async (runId: string) =>
    (await context.db.artifact.findMany({ where: { runId } })).map(({ name }) => name).toSorted();

  const bytes = `checkpoint/latest of ${old.run.id}`.length;
  const dry = await clean('--checkpoints', '7d', '--dry-run', '--json');
  expect(JSON.parse(dry.stdout)).toEqual({ dryRun: true, runs: 1, files: 1, bytes });
  expect(await names(old.run.id)).toHaveLength(3);
  expect((await clean('--checkpoints', '7d')).stdout).toContain('Removed: 1 checkpoint of 1 run');
  expect(await names(old.run.id)).toEqual(['checkpoint/used', 'model']);
  expect(await names(recent.run.id)).toHaveLength(3);

  // with WARREN_CHECKPOINT_DAYS the API does so by itself
  await context.db.run.update({ where: { id: recent.run.id }, data: { endedAt: new Date(Date.now() - 6 * DAY_MS) } });
  await apiForTests({ postgres: api.postgres, artifacts: api.artifactFolder, checkpointDays: 5 });
  await waitUntil('the checkpoints are gone', async () => (await names(recent.run.id)).length === 1);
  expect(await names(recent.run.id)).toEqual(['model']);
  expect(await names(old.run.id)).toEqual(['checkpoint/used', 'model']);
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
