import { mkdirSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readMigrations } from '../../../prisma/schemaEngine.mjs';
import { applyMigrations, migrationStatus } from '#src/base/platform/postgres/migrations.ts';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { waitUntil } from '../support/waitUntil.ts';

const postgres = await postgresForTests();
const scratch = temporaryFolder();
let folders = 0;

/** A migrations folder of the test's own. */
function migrationsFolder(migrations: Record<string, string>): string {
  folders += 1;
  const folder = join(scratch, `migrations${folders}`);
  for (const [name, sql] of Object.entries(migrations)) write(folder, name, sql);
  return folder;
}

function write(folder: string, name: string, sql: string): void {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'migration.sql'), sql);
}

async function query(url: string, sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = await connectPostgres(url, { applicationName: 'test' });
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

const empty = () => postgres.freshDatabase({ empty: true });

describe('applyMigrations', () => {
  it('brings an empty database up to date, and then has nothing to do', async () => {
    const url = await empty();
    const names = readMigrations().map(({ name }) => name);
    expect(await migrationStatus(url)).toEqual({ applied: [], pending: names, problems: [] });
    expect(await applyMigrations(url)).toEqual({ applied: names, present: [] });
    expect(await applyMigrations(url)).toEqual({ applied: [], present: names });
    expect(await migrationStatus(url)).toEqual({ applied: names, pending: [], problems: [] });
    expect(await query(url, `SELECT to_regclass('run') IS NOT NULL AS made`)).toEqual([{ made: true }]);
  });

  it("keeps Prisma's records: its table, its checksums", async () => {
    const url = await empty();
    await applyMigrations(url);
    // As prisma-engines 7.10 makes it (schema-engine, PostgreSQL flavour).
    expect(
      await query(
        url,
        `SELECT column_name || ' ' || udt_name || coalesce('(' || character_maximum_length || ')', '') AS column,
                is_nullable, column_default
         FROM information_schema.columns WHERE table_name = '_prisma_migrations' ORDER BY ordinal_position`,
      ),
    ).toEqual([
      { column: 'id varchar(36)', is_nullable: 'NO', column_default: null },
      { column: 'checksum varchar(64)', is_nullable: 'NO', column_default: null },
      { column: 'finished_at timestamptz', is_nullable: 'YES', column_default: null },
      { column: 'migration_name varchar(255)', is_nullable: 'NO', column_default: null },
      { column: 'logs text', is_nullable: 'YES', column_default: null },
      { column: 'rolled_back_at timestamptz', is_nullable: 'YES', column_default: null },
      { column: 'started_at timestamptz', is_nullable: 'NO', column_default: 'now()' },
      { column: 'applied_steps_count int4', is_nullable: 'NO', column_default: '0' },
    ]);
    const records = await query(
      url,
      `SELECT migration_name AS name, checksum, finished_at >= started_at AS finished, rolled_back_at, applied_steps_count AS steps
       FROM _prisma_migrations ORDER BY started_at`,
    );
    expect(records).toEqual(
      readMigrations().map(({ name, sql }) => ({
        name,
        checksum: createHash('sha256').update(sql).digest('hex'),
        finished: true,
        rolled_back_at: null,
        steps: 1,
      })),
    );
  });

  it('is safe in five processes at once: one applies, the others find it done', async () => {
    const url = await empty();
    const results = await Promise.all(Array.from({ length: 5 }, () => applyMigrations(url)));
    const names = readMigrations().map(({ name }) => name);
    expect(results.filter(({ applied }) => applied.length > 0)).toEqual([{ applied: names, present: [] }]);
    expect(results.filter(({ present }) => present.length === names.length).length).toBe(4);
    expect(await query(url, 'SELECT count(*)::int AS n FROM _prisma_migrations')).toEqual([{ n: names.length }]);
  });

  it('waits for whoever holds the lock of Prisma', async () => {
    const url = await empty();
    const folder = migrationsFolder({ '0001_a': 'CREATE TABLE a (id int)' });
    const other = await connectPostgres(url, { applicationName: 'test' });
    await other.query('SELECT pg_advisory_lock(72707369)');
    let done = false;
    const applying = applyMigrations(url, { folder }).then(() => {
      done = true;
    });
    await waitUntil('it waits for the lock', async () => {
      const rows = await query(
        url,
        `SELECT 1 FROM pg_stat_activity WHERE wait_event = 'advisory' AND datname = current_database()`,
      );
      return rows.length === 1;
    });
    expect(done).toBe(false);
    await other.end();
    await applying;
    expect(done).toBe(true);
  });

  it('applies those that are new, in order', async () => {
    const url = await empty();
    const folder = migrationsFolder({ '0001_a': 'CREATE TABLE a (id int)' });
    await applyMigrations(url, { folder });
    write(folder, '0003_c', 'ALTER TABLE b ADD COLUMN name text');
    write(folder, '0002_b', 'CREATE TABLE b (id int); INSERT INTO b VALUES (1)');
    expect(await applyMigrations(url, { folder })).toEqual({ applied: ['0002_b', '0003_c'], present: ['0001_a'] });
    expect(await query(url, 'SELECT * FROM b')).toEqual([{ id: 1, name: null }]);
  });

  it('rolls a failing one back whole, says where it failed, and tries again when it is mended', async () => {
    const url = await empty();
    const folder = migrationsFolder({
      '0001_a': 'CREATE TABLE a (id int)',
      '0002_b': 'CREATE TABLE b (id int);\nINSERT INTO missing VALUES (1);\n',
    });
    await expect(applyMigrations(url, { folder })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining(
        'migration 0002_b failed and was rolled back: relation "missing" does not exist (line 2); the database is as it was',
      ),
    });
    expect(await query(url, `SELECT to_regclass('a') AS a, to_regclass('b') AS b`)).toEqual([{ a: 'a', b: null }]);
    const failures = `SELECT migration_name, logs FROM _prisma_migrations WHERE rolled_back_at IS NOT NULL AND finished_at IS NULL`;
    expect(await query(url, failures)).toEqual([
      { migration_name: '0002_b', logs: 'relation "missing" does not exist' },
    ]);
    write(folder, '0002_b', 'CREATE TABLE b (id int)');
    expect(await applyMigrations(url, { folder })).toEqual({ applied: ['0002_b'], present: ['0001_a'] });
  });

  it('waits for an open reader in turns that let others read, names it, and gives up or goes on when it ends', async () => {
    const url = await empty();
    const folder = migrationsFolder({ '0001_a': 'CREATE TABLE a (id int)' });
    await applyMigrations(url, { folder });
    write(folder, '0002_b', 'ALTER TABLE a ADD COLUMN name text');
    const reader = await connectPostgres(url, { applicationName: 'a report' });
    await reader.query('BEGIN; SELECT * FROM a');
    const stuck = applyMigrations(url, { folder, lockPatienceMs: 1_000 });
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    await waitUntil('it waits for the reader', async () => (await query(url, waiting)).length === 1);
    expect(await query(url, 'SELECT * FROM a')).toEqual([]);
    await expect(stuck).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(
        /^migration 0002_b waits for session \d+ of "a report" \(user \w+, idle in transaction, .* open since .*\); end/,
      ),
    });
    const told: string[] = [];
    const patient = applyMigrations(url, { folder, onWait: (message) => told.push(message) });
    await waitUntil('it says for whom it waits', () => told.length > 0, 30_000);
    expect(told).toEqual([expect.stringContaining('of "a report"')]);
    await reader.end();
    expect((await patient).applied).toEqual(['0002_b']);
  });

  it('makes the views of scoped tokens anew without keeping those who read waiting behind it', async () => {
    const url = await empty();
    await applyMigrations(url);
    for (const schema of ['warren_share', 'warren_projects']) {
      await query(url, `COMMENT ON SCHEMA ${schema} IS 'of another version'`);
    }
    const reader = await connectPostgres(url, { applicationName: 'a long export' });
    await reader.query('BEGIN');
    await reader.query('SELECT count(*) FROM warren_share.run');
    await expect(applyMigrations(url, { lockPatienceMs: 100 })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('making the views of scoped tokens waits for'),
    });
    await reader.end();
    await applyMigrations(url);
    const left = await query(url, `SELECT obj_description('warren_share'::regnamespace) AS mark`);
    expect(left).toEqual([{ mark: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  });

  it('refuses one that has changed since it was applied, but not its line ends', async () => {
    const url = await empty();
    const folder = migrationsFolder({ '0001_a': 'CREATE TABLE a (\n  id int\n);\n' });
    await applyMigrations(url, { folder });
    write(folder, '0001_a', 'CREATE TABLE a (\r\n  id int\r\n);\r\n');
    expect(await applyMigrations(url, { folder })).toEqual({ applied: [], present: ['0001_a'] });
    write(folder, '0001_a', 'CREATE TABLE a (id bigint);\n');
    await expect(applyMigrations(url, { folder })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('migration 0001_a has changed since it was applied'),
    });
  });

  it('refuses a database that a newer Warren has migrated, and changes nothing in it', async () => {
    const url = await empty();
    await applyMigrations(url, {
      folder: migrationsFolder({ '0001_a': 'CREATE TABLE a (id int)', '0009_z': 'CREATE TABLE z (id int)' }),
    });
    const older = migrationsFolder({ '0001_a': 'CREATE TABLE a (id int)', '0002_b': 'CREATE TABLE b (id int)' });
    await expect(applyMigrations(url, { folder: older })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('0009_z, unknown here: a newer Warren made it'),
    });
    expect(await query(url, `SELECT to_regclass('b') AS b`)).toEqual([{ b: null }]);
  });

  it('refuses one that prisma began and never finished', async () => {
    const url = await empty();
    const folder = migrationsFolder({ '0001_a': 'CREATE TABLE a (id int)' });
    await applyMigrations(url, { folder });
    await query(url, 'UPDATE _prisma_migrations SET finished_at = NULL');
    await expect(applyMigrations(url, { folder })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('migration 0001_a was begun by another program and never finished'),
    });
  });

  it('says which server it could not reach, without the password', async () => {
    const missing = new URL(postgres.url);
    missing.pathname = '/nothing';
    await expect(applyMigrations(missing.href)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(/^PostgreSQL at 127\.0\.0\.1:\d+\/nothing: there is no such database/),
    });
    missing.password = 'wrong';
    await expect(applyMigrations(missing.href)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('the user or password was refused'),
    });
    missing.port = '9';
    await expect(applyMigrations(missing.href)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('nothing listens there'),
    });
  });
});
