import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { TIMING } from '#src/base/platform/timing.ts';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { openArtifactStore } from '#src/base/platform/artifacts/openArtifactStore.ts';
import { closeDatabase, openDatabase } from '#src/base/platform/postgres/database.ts';
import { applyMigrations, migrationStatus } from '#src/base/platform/postgres/migrations.ts';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { createBackup } from '#src/backup/createBackup.ts';
import type { BackupManifest } from '#src/backup/archiveManifest.ts';
import { loadTables } from '#src/backup/loadArchive.ts';
import { readArchive } from '#src/backup/readArchive.ts';
import { restoreBackup } from '#src/backup/restoreBackup.ts';
import { writeArchive } from '#src/backup/writeArchive.ts';
import { endAttempt } from '#src/attempts/endAttempt.ts';
import { requireRun } from '#src/runs/findRun.ts';
import { createReconcilerState, reconcileRuns } from '#src/attempts/reconcileRuns.ts';
import { recordReports } from '#src/attempts/recordReports.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { aHeldRun, aRun, aWorker, claim, expireLease, point, servicesForTests } from '../services/support.ts';

const postgres = await postgresForTests();
const context = await servicesForTests(postgres.url);
const folder = temporaryFolder();
const artifacts = await openArtifactStore(join(folder, 'artifacts'));
const file = (name: string) => join(folder, name);
const unsaid = () => {};
const content = Buffer.from('embeddings of every item');
const sha256 = createHash('sha256').update(content).digest('hex');

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = await connectPostgres(url, { applicationName: 'test' });
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function chunksOf(...parts: Buffer[]): Promise<AsyncIterable<Buffer>> {
  return (async function* () {
    yield* parts;
  })();
}

const backup = (path: string) => createBackup({ path, databaseUrl: postgres.url, artifacts, onProgress: unsaid });

interface Restoring {
  url: string;
  into: string;
  replace?: boolean;
}

const restore = async (path: string, { url, into, replace = false }: Restoring) =>
  restoreBackup({
    path,
    databaseUrl: url,
    artifacts: await openArtifactStore(file(into)),
    replace,
    onProgress: unsaid,
  });

const empty = () => postgres.freshDatabase({ empty: true });

describe('a backup', async () => {
  const worker = await aWorker(context);
  const done = await aHeldRun(context, worker, { seeds: [1] });
  await artifacts.put(await chunksOf(content), { maximumBytes: 1_000 });
  await recordReports(context, {
    ...done.holder,
    reports: [
      point('train/loss', 0, Number.NaN),
      { type: 'log', line: 0, level: 'info', text: 'tab\t, \\backslash, "quotes" and\u2028lines', timeMs: 0 },
      {
        type: 'artifact',
        name: 'items.bin',
        role: 'output',
        mediaType: 'application/octet-stream',
        sha256,
        sizeBytes: content.byteLength,
      },
    ],
  });
  await endAttempt(context, { ...done.holder, outcome: { state: 'SUCCEEDED' } });
  const running = await aHeldRun(context, worker, { seeds: [2] });
  const queued = await aRun(context, { seeds: [3] });

  it('is of one moment, though runs write all the time, and holds every row and artifact', async () => {
    let writing = true;
    let steps = 0;
    const writer = (async () => {
      for (; writing; steps++) {
        await recordReports(context, { ...running.holder, reports: [point('train/loss', steps, steps)] });
      }
    })();
    await waitUntil('writes to flow', () => steps > 20);
    const summary = await backup(file('live.tar'));
    const stepsThen = steps;
    await waitUntil('writes to go on', () => steps > stepsThen + 5);
    writing = false;
    await writer;

    expect(statSync(file('live.tar')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([]);
    expect(summary).toMatchObject({ artifacts: 1, artifactBytes: content.byteLength, missingArtifacts: [] });
    const url = await empty();
    expect(await restore(file('live.tar'), { url, into: 'live' })).toMatchObject(summary);
    for (const [table, rows] of Object.entries(summary.tables)) {
      expect(await query(url, `SELECT count(*)::int AS rows FROM "${table}"`), table).toEqual([{ rows }]);
    }
    // What the series says of its points was written with them.
    const [series] = await query(
      url,
      `SELECT point_count, last_step::int, (SELECT count(*)::int FROM series_points(id)) AS points,
         (SELECT metric_cursor FROM run WHERE id = run_id) AS cursor FROM metric_series WHERE last_step > 0`,
    );
    expect(series).toMatchObject({ point_count: series!.points, cursor: series!.points });
    expect(Number(series!.points)).toBeGreaterThan(20);
    expect(Number(series!.points)).toBeLessThan(steps);
    const everything = 'SELECT md5(string_agg(line::text, chr(10) ORDER BY line)) AS digest FROM log_line line';
    expect(await query(url, everything)).toEqual(await query(postgres.url, everything));
    const restored = await openArtifactStore(file('live'));
    expect(await buffer(await restored.read(sha256))).toEqual(content);
  });

  it('lets queued runs run after a restore, has running ones taken over, and goes on counting', async () => {
    const url = await empty();
    await restore(file('live.tar'), { url, into: 'live' });
    const other = await servicesForTests(url);
    expect((await other.queue.counts()).waiting).toBe(0);
    await expireLease(other, running.run.id);
    await other.db.run.update({ where: { id: queued.id }, data: { createdAt: new Date(0) } });
    const state = createReconcilerState();
    await reconcileRuns(other, state, () => 0);
    await reconcileRuns(other, state, () => TIMING.leaseMs);
    expect((await other.queue.counts()).waiting).toBe(1);
    expect(await requireRun(other, running.run.id)).toMatchObject({ state: 'QUEUED', attempt: 1 });
    const newWorker = await aWorker(other, 'another');
    expect(await claim(other, queued, { worker: newWorker })).not.toBeNull();
    expect((await aRun(other, { seeds: [4] })).number).toBe(queued.number + 1);
  });

  it('of an older Warren gets the newer migrations, and one of a newer Warren is refused', async () => {
    const migrations = join(projectRoot(), 'prisma', 'migrations');
    const newest = readdirSync(migrations)
      .filter((name) => /^\d/.test(name))
      .sort()
      .at(-1)!;
    cpSync(migrations, file('migrations'), { recursive: true, filter: (path) => !path.includes(newest) });
    const old = await empty();
    await applyMigrations(old, { folder: file('migrations') });
    await query(old, `INSERT INTO project (id, name) VALUES (gen_random_uuid(), 'old')`);
    await createBackup({ path: file('older.tar'), databaseUrl: old, artifacts, onProgress: unsaid });
    const url = await empty();
    await restore(file('older.tar'), { url, into: 'older' });
    expect(await query(url, 'SELECT name FROM project')).toEqual([{ name: 'old' }]);
    expect(await migrationStatus(url)).toMatchObject({ pending: [], problems: [] });

    const untouched = await empty();
    const newer = await rewrite('live.tar', 'newer.tar', (manifest) => {
      manifest.migrations.push({ name: '9999_later', checksum: '0'.repeat(64) });
    });
    await expect(restore(newer, { url: untouched, into: 'newer' })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('9999_later of the archive is unknown here: a newer Warren made it'),
    });
    expect((await migrationStatus(untouched)).applied).toEqual([]);
  });

  it('goes into a database with something in it only when that may go, and into none that is in use', async () => {
    const url = await postgres.freshDatabase();
    await query(url, `INSERT INTO project (id, name) VALUES (gen_random_uuid(), 'precious')`);
    await expect(restore(file('live.tar'), { url, into: 'live' })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/is not empty \(it has rows in project\).*--replace/),
    });
    const user = openDatabase(url);
    await user.$queryRaw`SELECT 1`;
    const replacing = () => restore(file('live.tar'), { url, into: 'live', replace: true });
    await expect(replacing()).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('in use (warren)'),
    });
    await closeDatabase(user);
    await waitUntil('its sessions to end', async () => {
      const sessions = await query(url, 'SELECT FROM pg_stat_activity WHERE datname = current_database()');
      return sessions.length === 1;
    });
    await replacing();
    expect(await query(url, `SELECT count(*)::int AS runs FROM run`)).toEqual([{ runs: 3 }]);
    expect(await query(url, `SELECT FROM project WHERE name = 'precious'`)).toEqual([]);
  });

  it('that is torn or has a flipped byte is refused before anything is changed', async () => {
    const whole = readFileSync(file('live.tar'));
    const flipped = Buffer.from(whole);
    const place = flipped.indexOf(content);
    flipped[place] = flipped[place]! ^ 1;
    writeFileSync(file('flipped.tar'), flipped);
    writeFileSync(file('torn.tar'), whole.subarray(0, whole.length / 2));
    writeFileSync(file('other.tar'), 'not an archive');
    const url = await empty();
    for (const name of ['flipped.tar', 'torn.tar', 'other.tar', 'missing.tar']) {
      await expect(restore(file(name), { url, into: 'untouched' }), name).rejects.toMatchObject({
        code: 'BAD_INPUT',
        message: expect.stringContaining('nothing was changed'),
      });
    }
    expect(existsSync(file('untouched/incoming')) && readdirSync(file('untouched'))).toEqual(['incoming']);
    expect((await migrationStatus(url)).applied).toEqual([]);
  });

  it('loads a table of many parts without a warning from Node', async () => {
    const client = await connectPostgres(postgres.url, { applicationName: 'test' });
    const warnings: string[] = [];
    const note = (warning: Error) => warnings.push(warning.message);
    process.on('warning', note);
    await client.query('CREATE TEMPORARY TABLE many_parts (number integer)');
    const manifest = { tables: [{ name: 'many_parts', columns: ['number'], rows: 20 }] } as BackupManifest;
    const tables = loadTables(client, manifest, { mayHave: ['many_parts'] });
    for (let part = 1; part <= 20; part++) {
      const content = await chunksOf(Buffer.from(`${part}\n`));
      await tables.take('many_parts', { name: `tables/many_parts/${part}.copy`, sizeBytes: 3, content });
    }
    await tables.finish();
    expect((await client.query('SELECT sum(number)::int AS sum FROM many_parts')).rows).toEqual([{ sum: 210 }]);
    await client.end();
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  it('never overwrites another, and says which artifacts were gone or damaged', async () => {
    await expect(backup(file('live.tar'))).rejects.toMatchObject({ code: 'CONFLICT' });
    const path = join(folder, 'artifacts', sha256.slice(0, 2), sha256);
    writeFileSync(path, 'something else');
    expect(await backup(file('damaged.tar'))).toMatchObject({ artifacts: 0, missingArtifacts: [sha256] });
  });
});

interface Manifest {
  migrations: { name: string; checksum: string }[];
}

/** A copy of a backup with another manifest. */
async function rewrite(from: string, to: string, change: (manifest: Manifest) => void): Promise<string> {
  await writeArchive(file(to), async (archive) => {
    for await (const { name, content: bytes } of readArchive(file(from))) {
      let text = await buffer(bytes);
      if (name === 'manifest.json') {
        const manifest = JSON.parse(text.toString());
        change(manifest);
        text = Buffer.from(JSON.stringify(manifest));
      }
      await archive.add(name, text.byteLength, await chunksOf(text));
    }
  });
  return file(to);
}
