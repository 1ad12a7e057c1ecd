import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openArtifactStore } from '#src/base/platform/artifacts/openArtifactStore.ts';
import { collectArtifacts } from '#src/artifacts/collectArtifacts.ts';
import { issueToken } from '#src/people/apiTokens.ts';
import { storeProblem } from '#src/artifacts/storeOwnership.ts';
import { insertRunInputs } from '#src/runs/store/runInput.ts';
import { endAttempt } from '#src/attempts/endAttempt.ts';
import { recordReports } from '#src/attempts/recordReports.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { aHeldRun, aWorker, servicesForTests } from './services/support.ts';
import { apiForTests } from './support/apiForTests.ts';
import { LOG_METRICS } from './support/externalRunCalls.ts';
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
    const freed = { runs: 2, files: 1, bytes: 1000, kept: [], reports: 0, projects: 0 };
    expect(JSON.parse(dry.stdout)).toEqual({ dryRun: true, ...freed });
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

test('more runs than are deleted in one look are gone some looks later', async () => {
  const run = await deletedRun(3, 'e');
  await context.db.$executeRaw`
    INSERT INTO run (id, project_id, configuration_hash, seed, name, state, deleted_at)
    SELECT gen_random_uuid(), project_id, configuration_hash, seed, 'one of many', state, deleted_at
    FROM run, generate_series(1, 250) WHERE id = ${run.id}::uuid`;
  await apiForTests({ postgres: api.postgres, artifacts: api.artifactFolder, trashDays: 2, collectEveryMs: 50 });
  const left = () => context.db.run.count({ where: { name: 'one of many' } });
  await waitUntil('all are gone', async () => (await left()) === 0);
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
  const quota = (size: string) =>
    runWarren(['project', 'quota', 'small', size, '--json'], { WARREN_API_URL: api.url, WARREN_HOME: temporaryHome });
  for (const [size, bytes] of [
    ['512K', 524_288],
    ['1.5MiB', 1_572_864],
    ['4096', 4096],
    ['none', null],
  ] as const) {
    expect(JSON.parse((await quota(size)).stdout), size).toMatchObject({ quotaBytes: bytes });
  }
  expect(await quota('1Q')).toMatchObject({
    code: 2,
    stderr: 'warren: expected a size in K, M, G or T, such as 20G, or bytes, such as 4096, not "1Q"\n',
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

test('logs and curves of runs that ended long ago get short; last values, extremes and means stay what they were', async () => {
  const random = randomGenerator(20_261_124, 'curves');
  const steps = Array.from({ length: 3_000 }, (_, step) => step * 3);
  const values = steps.map((step) => Math.sin(step / 500) + random.nextFloat());
  values[1_234] = 17.5;
  values[2_001] = -9.25;
  const broken = values.map((value, index) => (index === 700 || index === 900 ? Number.NaN : value));
  const create = 'mutation { createRun(input: { project: "thinned" }) { id } }';
  const define =
    'mutation ($id: ID!, $metrics: [MetricDefinitionInput!]!) { defineMetrics(runId: $id, definitions: $metrics) }';
  const logged = async (days: number) => {
    const { id } = (await ok(create)).createRun;
    const metrics = [
      { name: 'a/loss', stepMetric: 'epoch' },
      { name: 'mean*', summary: 'mean' },
    ];
    await ok(define, { id, metrics });
    const wire = broken.map((value) => (Number.isNaN(value) ? 'NaN' : value));
    const series = ['a/loss', 'epoch', 'mean of it'].map((name) => ({ name, steps, values }));
    await ok(LOG_METRICS, { runId: id, series: [...series, { name: 'broken', steps, values: wire }] });
    await ok(LOG_METRICS, { runId: id, series: [{ name: 'short', steps: [1, 2], values: [1, 2] }] });
    const lines = Array.from({ length: 250 }, (_, line) => ({ level: 'info', text: `line ${line} ä` }));
    await ok('mutation ($id: ID!, $lines: [LogLineInput!]!) { logLines(runId: $id, from: 0, lines: $lines) }', {
      id,
      lines,
    });
    await ok('mutation ($id: ID!) { finishRun(runId: $id) { id } }', { id });
    await context.db.run.update({ where: { id }, data: { endedAt: new Date(Date.now() - days * DAY_MS) } });
    return id;
  };
  const [old, recent] = [await logged(400), await logged(300)];
  const summariesOf = async (id: string) => {
    const query = '{ name pointCount lastStep lastValue minimum maximum summary }';
    const { metrics } = (await ok(`query ($id: ID!) { run(id: $id) { metrics ${query} } }`, { id })).run;
    return Object.fromEntries(metrics.map((metric: { name: string }) => [metric.name, metric]));
  };
  const logOf = async (id: string): Promise<string[]> =>
    (await ok('query ($id: ID!) { logs(runId: $id, first: 500) { lines { text } } }', { id })).logs.lines.map(
      ({ text }: { text: string }) => text,
    );
  const before = { old: await summariesOf(old), recent: await summariesOf(recent) };

  const bytes = Array.from({ length: 150 }, (_, line) => Buffer.byteLength(`line ${line} ä`)).reduce(
    (a, b) => a + b,
    0,
  );
  const dryLogs = await clean('--logs', '365d', '--dry-run', '--json');
  expect(JSON.parse(dryLogs.stdout)).toEqual({ dryRun: true, runs: 1, lines: 150, bytes });
  const dryPoints = await clean('--points', '365d', '--keep', '50', '--dry-run', '--json');
  expect(JSON.parse(dryPoints.stdout)).toEqual({ dryRun: true, series: 2, points: 2 * 2_950 });
  expect(await summariesOf(old)).toEqual(before.old);
  expect(await logOf(old)).toHaveLength(250);

  expect((await clean('--logs', '365d')).stdout).toContain('Removed: 150 lines of the logs of 1 run');
  expect(await logOf(old)).toEqual(Array.from({ length: 100 }, (_, line) => `line ${150 + line} ä`));
  expect((await clean('--points', '365d', '--keep', '50')).stdout).toContain('of 2 curves');
  const after = await summariesOf(old);
  for (const name of ['a/loss', 'broken']) {
    expect(after[name].pointCount).toBeLessThanOrEqual(50);
    expect(after[name].pointCount).toBeGreaterThan(40);
    const { pointCount } = after[name];
    expect(after[name]).toEqual({ ...before.old[name], pointCount });
    const history =
      'query ($id: ID!, $name: String!) { metricHistory(runIds: [$id], names: [$name]) { steps values } }';
    const [kept] = (await ok(history, { id: old, name })).metricHistory;
    const given = name === 'broken' ? broken : values;
    expect(kept.values.map(Number)).toEqual(kept.steps.map((step: number) => given[step / 3]));
    expect(kept.steps).toHaveLength(pointCount);
    // of 23 parts, the first of which have a point more, the lowest and the highest; the ends; the first that is not finite
    const expected = new Set([0, 2_999, ...(name === 'broken' ? [700] : [])]);
    for (let part = 0, from = 0; part < 23; part++) {
      const indexes = steps.map((_, index) => index).slice(from, from + (part < 3_000 % 23 ? 131 : 130));
      from += indexes.length;
      const finite = indexes.filter((index) => Number.isFinite(given[index]));
      expected.add(finite.reduce((best, index) => (given[index]! < given[best]! ? index : best)));
      expected.add(finite.reduce((best, index) => (given[index]! > given[best]! ? index : best)));
    }
    expect(kept.steps).toEqual([...expected].map((index) => index * 3).toSorted((one, other) => one - other));
    for (const index of [1_234, 2_001]) expect(expected).toContain(index);
  }
  for (const name of ['epoch', 'mean of it', 'short']) expect(after[name]).toEqual(before.old[name]);
  expect(await summariesOf(recent)).toEqual(before.recent);
  const { events } = (await ok('query ($id: ID!) { run(id: $id) { events { type } } }', { id: old })).run;
  expect(events.map(({ type }: { type: string }) => type)).toEqual(expect.arrayContaining(['logRemoved', 'thinned']));
  for (const [what, said] of [
    ['--logs', 'Nothing to remove'],
    ['--points', 'Nothing to thin'],
  ] as const) {
    const more = what === '--points' ? ['--keep', '50'] : [];
    expect((await clean(what, '365d', ...more)).stdout).toContain(said);
  }

  // with WARREN_LOG_DAYS and WARREN_POINT_DAYS the API does so by itself
  const rules = { logDays: 200, pointDays: 200, pointsKept: 20 };
  await apiForTests({ postgres: api.postgres, artifacts: api.artifactFolder, ...rules });
  await waitUntil('both are short', async () => (await summariesOf(recent)).broken.pointCount <= 20);
  await waitUntil('the log is short', async () => (await logOf(recent)).length === 100);
  expect((await summariesOf(recent)).broken).toMatchObject({ lastValue: values[2_999], maximum: 17.5, minimum: -9.25 });
});

test('rules are for admins of the whole server', async () => {
  const refusal = async (query: string, token: string) =>
    (await guarded.graphql(query, {}, { authorization: `Bearer ${token}` })).errors[0]?.extensions.code;
  const guarded = await apiForTests({ postgres: api.postgres, artifacts: api.artifactFolder, requireToken: true });
  const inOne = [{ project: 'thinned', role: 'ADMIN' as const }];
  const tokens = [
    (await issueToken(context, { name: 'writes', role: 'WRITE' })).token,
    (await issueToken(context, { name: 'of one', role: 'ADMIN', grants: inOne })).token,
  ];
  for (const token of tokens) {
    expect(await refusal('mutation { removeOldLogs(olderThanDays: 0) { lines } }', token)).toBe('FORBIDDEN');
    expect(await refusal('mutation { thinPoints(olderThanDays: 0) { points } }', token)).toBe('FORBIDDEN');
  }
  expect(
    (await api.graphql('mutation { thinPoints(olderThanDays: 0, keep: 9) { points } }')).errors[0]?.message,
  ).toContain('keep: received 9, expected a whole number from 10 to 10,000');
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
