import { createHash } from 'node:crypto';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { describeImport } from '#src/backup/command/describeArchive.ts';
import { openArtifactStore } from '#src/base/platform/artifacts/openArtifactStore.ts';
import { applyMigrations } from '#src/base/platform/postgres/migrations.ts';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { endAttempt } from '#src/attempts/endAttempt.ts';
import { createBackup } from '#src/backup/createBackup.ts';
import { exportProject, type ProjectExportOptions } from '#src/backup/exportProject.ts';
import { importProject } from '#src/backup/importProject.ts';
import { readArchive } from '#src/backup/readArchive.ts';
import { restoreBackup } from '#src/backup/restoreBackup.ts';
import { writeArchive } from '#src/backup/writeArchive.ts';
import { createEntry } from '#src/registry/changeEntry.ts';
import { requireVersion } from '#src/registry/findVersion.ts';
import { registerVersion } from '#src/registry/registerVersion.ts';
import { recordReports } from '#src/attempts/recordReports.ts';
import { PROJECT_TABLES, TABLES_LEFT_BEHIND } from '#src/backup/store/projectTables.ts';
import { listVersionFiles } from '#src/registry/store/versionFile.ts';
import { reportPins } from '#src/reports/reportPins.ts';
import { deleteReport, saveReport } from '#src/reports/reports.ts';
import { listTables } from '#src/base/database/tableCopies.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { aHeldRun, aRun, aWorker, point, servicesForTests } from '../services/support.ts';

const postgres = await postgresForTests();
const context = await servicesForTests(postgres.url);
const folder = temporaryFolder();
const artifacts = await openArtifactStore(join(folder, 'artifacts'));
const file = (name: string) => join(folder, name);
const content = Buffer.from('embeddings of every item');
const sha256 = createHash('sha256').update(content).digest('hex');
const onProgress = () => {};

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = await connectPostgres(url, { applicationName: 'test' });
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const exporting = (name: string, more: Partial<ProjectExportOptions> = {}) =>
  exportProject({
    ...{ project: 'papers', path: file(name), without: [], databaseUrl: postgres.url, artifacts, onProgress },
    ...more,
  });

const importing = async (name: string, url: string, into?: string) =>
  importProject({
    path: file(name),
    databaseUrl: url,
    artifacts: await openArtifactStore(file('elsewhere')),
    onProgress,
    ...(into !== undefined && { into }),
  });

async function* chunk(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** Everything that is known of runs, but for numbers and ids which another database gives. */
const EVERYTHING = `
  SELECT run.id, run.name, run.seed, run.state, run.tags, run.environment, configuration.parameters, series.name AS metric,
    series.last_value, series.point_count, point.step, point.value, point.time, line.text, artifact.sha256
  FROM run JOIN project ON project.id = project_id JOIN configuration ON hash = configuration_hash
  LEFT JOIN metric_series series ON series.run_id = run.id LEFT JOIN metric_point point ON series_id = series.id
  LEFT JOIN log_line line ON line.run_id = run.id LEFT JOIN artifact ON artifact.run_id = run.id
  WHERE project.name = 'papers' AND run.state = 'SUCCEEDED' ORDER BY run.id, metric, step`;

describe("a project's archive", async () => {
  const worker = await aWorker(context);
  await artifacts.put(chunk(content), { maximumBytes: 1_000 });
  const done = await aHeldRun(context, worker, { project: 'papers', seeds: [1], tags: ['kept'] });
  await recordReports(context, {
    ...done.holder,
    reports: [
      point('train/loss', 0, Number.NaN),
      { ...point('train/loss', 1, 0.1 + 0.2), step: 2 ** 53 },
      { type: 'log', line: 0, level: 'info', text: 'tab\t, \\backslash and\u2028lines', timeMs: 0 },
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
  await registerVersion(context, { name: 'items', runId: done.run.id, aliases: ['best'] });
  await aRun(context, { project: 'papers', seeds: [2] });
  const cites = (known: number, block: number) =>
    `See [[run ${known}: train/loss]].\n\n\`\`\`warren-table\nruns: ${block}\n\`\`\`\n\n\`\`\`warren-table\ngroup by: kind\n\`\`\`\n`;
  const report = await saveReport(
    context,
    { project: 'papers', title: 'Findings', text: cites(done.run.number, done.run.number) },
    { savedBy: 'ann' },
  );
  await saveReport(context, { id: report.id, basedOn: 1, title: 'Findings, again' }, { savedBy: 'ben' });
  await deleteReport(context, report.id);
  await aRun(context, { project: 'others', seeds: [3] });
  await query(
    postgres.url,
    `INSERT INTO alert_rule (id, project_id, name, condition, channels, secret)
     SELECT gen_random_uuid(), id, 'failures', '{}', '[]', '' FROM project WHERE name = 'papers'`,
  );

  const told = (known: string, gone: string) => [
    `Forked from run ${known} after step 1, with 2 points`,
    `Failed: input "data" needs "items.bin" of run ${gone}, which failed`,
    'Failed: run 1 of my own diverged',
  ];

  it('comes whole into a server in use, keeps ids, and adds nothing the second time', async () => {
    for (const message of told(String(done.run.number), '999999')) {
      await query(
        postgres.url,
        `INSERT INTO run_event (run_id, type, message) VALUES ('${done.run.id}', 'told', '${message}')`,
      );
    }
    expect(await exporting('papers.tar.gz')).toMatchObject({
      ...{ tables: { run: 1 }, artifacts: 1 },
      leftBehind: { openRuns: 1, trashedRuns: 0, openDecisions: 0, alertRules: 1, shareLinks: 0 },
    });
    const url = await postgres.freshDatabase();
    const elsewhere = await servicesForTests(url);
    const first = await aRun(elsewhere, { project: 'papers', seeds: [9] });
    await createEntry(elsewhere, { name: 'items', type: 'model' });
    await query(
      url,
      `INSERT INTO registry_version (id, entry_id, number) SELECT gen_random_uuid(), id, 1 FROM registry_entry`,
    );
    await query(url, 'UPDATE registry_entry SET last_version = 3');

    expect(await importing('papers.tar.gz', url)).toMatchObject({
      project: 'papers',
      tables: { run: 1 },
      artifacts: 1,
    });
    const arrived = await query(url, EVERYTHING);
    expect(arrived).toEqual(await query(postgres.url, EVERYTHING));
    expect(arrived).toMatchObject([
      { id: done.run.id, metric: 'train/loss', value: Number.NaN, sha256 },
      { step: String(2 ** 53), value: 0.1 + 0.2 },
    ]);
    expect(await query(url, 'SELECT name FROM project')).toEqual([{ name: 'papers' }]);
    expect(await query(url, `SELECT number FROM run WHERE id = '${done.run.id}'`)).toEqual([
      { number: first.number + 1 },
    ]);
    const store = await openArtifactStore(file('elsewhere'));
    expect(await buffer(await store.read(sha256))).toEqual(content);
    // the versions of a name that is there already get the next numbers, none of one that was deleted
    const { version } = await requireVersion(elsewhere.db, 'items@best');
    expect(version).toMatchObject({ number: 4, runId: done.run.id, sha256 });
    expect(await listVersionFiles(elsewhere.db, [version.id], 9)).toMatchObject([{ path: 'items.bin', sha256 }]);

    // the history names runs by the numbers of here, and says of others whose number it is
    const events = await query(url, "SELECT message FROM run_event WHERE type = 'told' ORDER BY id");
    expect(events.map(({ message }) => message)).toEqual(told(String(first.number + 1), '999999 of the source server'));

    // reports name their runs by the numbers of here
    expect(
      await query(
        url,
        `SELECT id, deleted_at IS NOT NULL AS trashed, version, title, text, saved_by
         FROM report JOIN report_version ON id = report_id ORDER BY version`,
      ),
    ).toMatchObject([
      { id: report.id, trashed: true, version: 1, title: 'Findings', saved_by: 'ann' },
      { version: 2, title: 'Findings, again', text: cites(first.number + 1, first.number + 1), saved_by: 'ben' },
    ]);

    // an old version shows the runs of then, by their numbers here; one that is not here has none
    expect(await reportPins(elsewhere, { reportId: report.id, version: 1 })).toEqual([
      { block: 0, runs: [first.number + 1], missing: [], missingCount: 0, matched: 1 },
      { block: 1, runs: [first.number + 1], missing: [], missingCount: 1, matched: 2 },
    ]);

    const again = await importing('papers.tar.gz', url);
    expect(again).toMatchObject({ knownRuns: 1, knownIn: [{ project: 'papers', runs: 1, inTrash: 0 }], artifacts: 0 });
    const into = await importing('papers.tar.gz', url, 'elsewhere');
    expect(describeImport(into), 'where they are').toMatch(
      /^elsewhere: 0 runs, .*; 1 run was here already: 1 in "papers"$/,
    );
    expect(Object.values(again.tables).filter((rows) => rows > 0)).toEqual([]);
    expect(await query(url, "SELECT FROM pg_namespace WHERE nspname LIKE 'arriving%'")).toEqual([]);
    expect((await aRun(elsewhere, { project: 'papers', seeds: [10] })).number).toBeGreaterThan(first.number + 1);
  });

  it('may leave out points, logs and artifacts, and come under another name', async () => {
    await exporting('small.tar', { without: ['points', 'logs', 'artifacts'] });
    const url = await postgres.freshDatabase();
    await importing('small.tar', url, 'printed');
    expect(
      await query(
        url,
        `SELECT project.name, last_value, (SELECT count(*)::int FROM metric_point) + (SELECT count(*)::int FROM log_line)
           + (SELECT count(*)::int FROM artifact) AS rest
         FROM run JOIN project ON project.id = project_id JOIN metric_series ON run_id = run.id`,
      ),
    ).toEqual([{ name: 'printed', last_value: 0.1 + 0.2, rest: 0 }]);
    // also where the archive's own project is here
    await query(url, 'DELETE FROM run');
    await importing('small.tar', url, 'named');
    expect(await query(url, 'SELECT project.name FROM run JOIN project ON project.id = project_id')).toEqual([
      { name: 'named' },
    ]);
  });

  it('for studies has the points that figures draw and what tests over users read, equal content once', async () => {
    // Figure 4a draws the training loss of these arms, and Table 3 compares their NDCG over users.
    const columns = [
      { kind: 'sasrec', preset: 'sevo/sasrec-beauty' },
      { kind: 'sasrec', preset: 'sevo/sasrec-beauty-sevo' },
    ];
    const output = (name: string) => ({
      ...{ type: 'artifact' as const, name, role: 'output' as const, mediaType: 'application/octet-stream' },
      ...{ sha256, sizeBytes: content.byteLength },
    });
    for (const { kind, preset } of columns) {
      const held = await aHeldRun(context, worker, {
        kind,
        preset,
        dataset: undefined,
        project: 'studied',
        seeds: [1],
      });
      await recordReports(context, {
        ...held.holder,
        reports: [
          ...[0, 1].map((step) => point('train/loss', step, 1 - step / 2)),
          point('train/seconds', 0, 3),
          { type: 'log', line: 0, level: 'info', text: 'said', timeMs: 0 },
          output('per-user-ranks.npy'),
          output('item-embeddings.npy'),
        ],
      });
      await endAttempt(context, { ...held.holder, outcome: { state: 'SUCCEEDED' } });
    }
    expect(await exporting('studies.tar.gz', { project: 'studied', forStudies: true })).toMatchObject({ artifacts: 1 });
    const url = await postgres.freshDatabase();
    expect(await importing('studies.tar.gz', url)).toMatchObject({ only: 'studies', tables: { run: 2 } });
    const [arrived] = await query(
      url,
      `SELECT array(SELECT DISTINCT name FROM artifact) AS files, (SELECT count(*)::int FROM artifact) AS artifacts,
         array(SELECT DISTINCT name FROM metric_series JOIN metric_point ON id = series_id) AS curves,
         array(SELECT DISTINCT name FROM metric_series WHERE point_count > 0 ORDER BY 1) AS metrics,
         (SELECT count(*)::int FROM log_line) AS lines`,
    );
    expect(arrived).toEqual({
      ...{ files: ['per-user-ranks.npy'], artifacts: 2, curves: ['train/loss'], lines: 0 },
      metrics: ['train/loss', 'train/seconds'],
    });
  });

  it('of an older Warren goes through the newer migrations', async () => {
    const migrations = join(projectRoot(), 'prisma', 'migrations');
    const newest = readdirSync(migrations)
      .filter((name) => /^\d/.test(name))
      .sort()
      .at(-1)!;
    cpSync(migrations, file('migrations'), { recursive: true, filter: (path) => !path.includes(newest) });
    const old = await postgres.freshDatabase({ empty: true });
    await applyMigrations(old, { folder: file('migrations') });
    await query(old, `INSERT INTO project (id, name) VALUES (gen_random_uuid(), 'papers')`);
    await exporting('older.tar', { databaseUrl: old });
    const url = await postgres.freshDatabase();
    expect(await importing('older.tar', url)).toMatchObject({ project: 'papers' });
  });

  it('and a backup are not taken for each other; a project that is not there is told', async () => {
    await createBackup({ path: file('backup.tar'), databaseUrl: postgres.url, artifacts, onProgress });
    const url = await postgres.freshDatabase();
    await expect(importing('backup.tar', url)).rejects.toThrow('a backup of a whole server: `warren restore` takes it');
    const restoring = restoreBackup({
      ...{ path: file('small.tar'), databaseUrl: url, artifacts, replace: false, onProgress },
    });
    await expect(restoring).rejects.toThrow('the archive of one project: `warren project import` takes it');
    await expect(exporting('none.tar', { project: 'nothing' })).rejects.toThrow('there is no project "nothing"');
  });

  it('that was altered is refused, and brings no run to execute', async () => {
    const url = await postgres.freshDatabase();
    const alter = async (
      name: string,
      from: RegExp,
      to: string,
      { rename = (member: string) => member, source = 'small.tar' } = {},
    ) => {
      await writeArchive(file(name), async (archive) => {
        for await (const member of readArchive(file(source))) {
          const bytes = await buffer(member.content);
          if (member.name.startsWith('artifacts/')) {
            await archive.add(member.name, bytes.byteLength, chunk(bytes));
          } else if (member.name !== 'manifest.json') {
            const text = Buffer.from(bytes.toString().replace(from, to));
            await archive.add(rename(member.name), text.byteLength, chunk(text));
          } else {
            const manifest = JSON.parse(bytes.toString());
            for (const table of manifest.tables) table.name = rename(`tables/${table.name}/`).split('/')[1];
            manifest.members = archive.members;
            const text = Buffer.from(JSON.stringify(manifest));
            await archive.add(member.name, text.byteLength, chunk(text));
          }
        }
      });
      return importing(name, url);
    };
    await expect(
      alter('roles.tar', /^/, '', { rename: (member) => member.replace('/configuration/', '/pg_authid/') }),
    ).rejects.toThrow('rows of table pg_authid, which no such archive has');
    await expect(alter('hash.tar', /markov-small/, 'markov-other')).rejects.toThrow('it was altered');
    // whoever downloads the run's files would write elsewhere
    for (const [index, path] of ['../items', '/tmp/items', 'a/../../items', 'a//items', './items'].entries()) {
      const altering = alter(`path${index}.tar`, /items\.bin/g, path, { source: 'papers.tar.gz' });
      await expect(altering).rejects.toThrow(`has a file under the name "${path}"`);
    }
    expect((await alter('open.tar', /SUCCEEDED/, 'RUNNING')).tables.run).toBe(0);
    expect(await query(url, 'SELECT FROM run')).toEqual([]);
  });

  it('has every table, or there is a reason why not', async () => {
    const client = await connectPostgres(postgres.url, { applicationName: 'test' });
    const tables = await listTables(client);
    await client.end();
    const planned = [...PROJECT_TABLES.map(({ name }) => name), ...Object.keys(TABLES_LEFT_BEHIND)];
    expect(planned.sort()).toEqual(tables.map(({ name }) => name).sort());
  });
});
