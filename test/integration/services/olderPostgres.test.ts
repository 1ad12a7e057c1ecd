import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openArtifactStore } from '#src/base/platform/artifacts/openArtifactStore.ts';
import { applyMigrations, migrationStatus, withWholeTypes } from '#src/base/platform/postgres/migrations.ts';
import { readMigrations } from '#src/base/platform/postgres/migrationFiles.ts';
import { closeDatabase, openDatabase } from '#src/base/platform/postgres/database.ts';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { createBackup } from '#src/backup/createBackup.ts';
import { exportProject } from '#src/backup/exportProject.ts';
import { importProject } from '#src/backup/importProject.ts';
import { restoreBackup } from '#src/backup/restoreBackup.ts';
import { isOutOfView } from '#src/base/database/connection.ts';
import { debianPostgresForTests } from '../support/debianPostgresForTests.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { aRun, servicesForTests } from './support.ts';

const postgres = await postgresForTests();
const older = await debianPostgresForTests();

const STATES = `SELECT enum_range(NULL::run_state)::text AS runs, enum_range(NULL::attempt_state)::text AS attempts,
  (SELECT array_agg(state::text ORDER BY number) FROM run) AS states`;

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = await connectPostgres(url, { applicationName: 'test' });
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

it('types of a fresh schema are made with all of their values', async () => {
  const sql = withWholeTypes(await readMigrations()).map((migration) => migration.sql);
  expect(sql.join('\n')).not.toMatch(/ADD VALUE/i);
  expect(sql.join('\n')).toMatch(/CREATE TYPE "run_state" AS ENUM \([^)]*'CRASHED', 'PRUNED'\)/);
});

// Before 17, PostgreSQL lets nobody use a value that the same transaction has added to a type.
describe.skipIf(older === null)('a PostgreSQL that is older than the embedded one', async () => {
  const folder = temporaryFolder();
  const artifacts = await openArtifactStore(join(folder, 'artifacts'));
  const onProgress = () => {};
  const context = await servicesForTests(postgres.url);
  await aRun(context, { seeds: [1] });
  await aRun(context, { seeds: [2] });
  await query(
    postgres.url,
    `UPDATE run SET state = CASE seed WHEN 1 THEN 'CRASHED' ELSE 'PRUNED' END::run_state, ended_at = now()`,
  );
  const [expected] = await query(postgres.url, STATES);

  it('takes a backup with runs that crashed and were pruned', async () => {
    const path = join(folder, 'backup.tar');
    await createBackup({ path, databaseUrl: postgres.url, artifacts, onProgress });
    const databaseUrl = older!.url;
    await restoreBackup({ path, databaseUrl, artifacts, replace: false, onProgress });
    expect(await query(databaseUrl, STATES)).toEqual([expected]);
    expect(await migrationStatus(databaseUrl)).toMatchObject({ pending: [], problems: [] });
  });

  it('takes a project with such runs', async () => {
    const path = join(folder, 'project.tar.gz');
    await exportProject({ project: 'default', path, databaseUrl: postgres.url, artifacts, without: [], onProgress });
    const databaseUrl = await older!.freshDatabase();
    await applyMigrations(databaseUrl);
    await importProject({ path, databaseUrl, artifacts, onProgress });
    expect(await query(databaseUrl, STATES)).toEqual([expected]);
  });

  it('compiles none of our queries, which takes longer than they do', async () => {
    const db = openDatabase(older!.url, { poolSize: 1 });
    const compiles = async () => (await query(older!.url, 'SHOW jit'))[0]?.jit;
    expect(await db.$queryRaw`SHOW jit`).toEqual([{ jit: 'off' }]);
    expect(await compiles()).toBe('off');
    await closeDatabase(db);
  });

  it('refuses a row under the key of one that the caller does not see, in words that are understood', async () => {
    const db = openDatabase(await older!.freshDatabase(), { poolSize: 1 });
    await db.$executeRaw`CREATE TABLE kept (key int PRIMARY KEY, seen boolean)`;
    await db.$executeRaw`CREATE VIEW shown AS SELECT key, seen FROM kept WHERE seen WITH LOCAL CHECK OPTION`;
    await db.$executeRaw`INSERT INTO kept VALUES (1, false)`;
    const hidden = db.$executeRaw`INSERT INTO shown VALUES (1, true) ON CONFLICT (key) DO UPDATE SET seen = true`;
    expect(isOutOfView(await hidden.catch((error: unknown) => error))).toBe(true);
    const unseen = db.$executeRaw`INSERT INTO shown VALUES (2, false)`;
    expect(isOutOfView(await unseen.catch((error: unknown) => error))).toBe(true);
    await closeDatabase(db);
  });
});
