import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { ANSWER_LIMITS, forLongStatements } from './answerLimits.ts';
import { checksumsOf, type Migration, readMigrations } from './migrationFiles.ts';
import { type LockPatience, withLockTimeout } from './lockTimeout.ts';
import { connectPostgres, postgresErrorCode } from './postgresClient.ts';
import { requireSessions } from './requireSessions.ts';
import { createScopedViews, dropScopedViews, hasScopedViews, refreshScopedViews } from './scopedViews.ts';

// Warren applies its migrations itself, since Prisma's engine is a binary that must be downloaded. It keeps Prisma's
// records (table, checksums, advisory lock), so that `prisma migrate` agrees wherever that engine is available.

/** Prisma's advisory lock: held by whoever migrates a database, be it Prisma or Warren. */
const MIGRATION_LOCK = 72_707_369;
const LOCK_TIMEOUT_MS = 60_000;
const { silenceMs: ANSWER_MS } = forLongStatements(ANSWER_LIMITS);

const MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id                      VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum                VARCHAR(64) NOT NULL,
    finished_at             TIMESTAMPTZ,
    migration_name          VARCHAR(255) NOT NULL,
    logs                    TEXT,
    rolled_back_at          TIMESTAMPTZ,
    started_at              TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count     INTEGER NOT NULL DEFAULT 0
)`;

const recordSchema = z.object({ migration_name: z.string(), checksum: z.string(), finished_at: z.date().nullable() });
type MigrationRecord = z.infer<typeof recordSchema>;

export interface MigrationOptions {
  /** Where `NNNN_name/migration.sql` are; default Warren's own. */
  folder?: string;
  /** How long a migration may wait for others to let go of its tables, in milliseconds; default a minute. */
  lockPatienceMs?: number;
  /** Told once a migration that has to wait, and for whom. */
  onWait?: (message: string) => void;
}

export interface MigrationStatus {
  applied: string[];
  pending: string[];
  /** What stands in the way of applying the pending ones; empty when nothing does. */
  problems: string[];
}

/**
 * Brings a database to the newest schema: every migration that it lacks, in order, each in a transaction of its own.
 * Two processes that start together wait for each other.
 * @returns the migrations applied now and those that were there before.
 * @throws WarrenError BAD_INPUT where a pooler stands before it that Warren cannot use, CONFLICT when the database's history does not fit the migrations on disk, UNAVAILABLE when it cannot
 *   be reached, another session keeps a table locked, or a migration fails (it is then rolled back, and the next start tries again).
 */
export async function applyMigrations(
  databaseUrl: string,
  options: MigrationOptions = {},
): Promise<{ applied: string[]; present: string[] }> {
  const migrations = await readMigrations(options.folder);
  const client = await connectPostgres(databaseUrl, { applicationName: 'warren migrations', answerMs: ANSWER_MS });
  try {
    await requireSessions(client, databaseUrl);
    await lockMigrations(client);
    await client.query(MIGRATIONS_TABLE);
    const status = compareHistory(migrations, await readRecords(client));
    if (status.problems.length > 0) throw new WarrenError('CONFLICT', `the database: ${status.problems.join('; ')}`);
    const patience = { databaseUrl, ...options, isViewed: status.pending.length > 0 && (await hasScopedViews(client)) };
    for (const migration of migrations) {
      if (status.pending.includes(migration.name)) await applyOne(client, migration, patience);
    }
    await refreshScopedViews(client, patience);
    return { applied: status.pending, present: status.applied };
  } finally {
    await client.end(); // the session's advisory lock goes with it
  }
}

/** What `applyMigrations` would find, without changing anything. */
export async function migrationStatus(databaseUrl: string, options: MigrationOptions = {}): Promise<MigrationStatus> {
  const migrations = await readMigrations(options.folder);
  const client = await connectPostgres(databaseUrl, { applicationName: 'warren migrations' });
  try {
    const table = await client.query(`SELECT to_regclass('_prisma_migrations') IS NOT NULL AS present`);
    return compareHistory(migrations, table.rows[0]?.present === true ? await readRecords(client) : []);
  } finally {
    await client.end();
  }
}

/** Keeps other migrations out until the session ends. Throws UNAVAILABLE after a minute. */
export async function lockMigrations(client: pg.Client): Promise<void> {
  try {
    await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
    await client.query('RESET lock_timeout');
  } catch (thrown) {
    if (postgresErrorCode(thrown) !== '55P03') throw thrown;
    const waited = `waited ${LOCK_TIMEOUT_MS / 1000} s for another process that migrates this database`;
    throw new WarrenError('UNAVAILABLE', `${waited}; end it, or try again`, { cause: thrown });
  }
}

async function readRecords(client: pg.Client): Promise<MigrationRecord[]> {
  const result = await client.query(
    'SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at',
  );
  return z.array(recordSchema).parse(result.rows);
}

function compareHistory(migrations: Migration[], records: MigrationRecord[]): MigrationStatus {
  const problems: string[] = [];
  const onDisk = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const record of records) {
    const migration = onDisk.get(record.migration_name);
    if (migration === undefined) {
      problems.push(`holds migration ${record.migration_name}, unknown here: a newer Warren made it; update this one`);
    } else if (record.finished_at === null) {
      const command = `prisma migrate resolve --rolled-back ${record.migration_name}`;
      problems.push(
        `migration ${record.migration_name} was begun by another program and never finished; see \`${command}\``,
      );
    } else if (!checksumsOf(migration.sql).includes(record.checksum)) {
      problems.push(`migration ${record.migration_name} has changed since it was applied; restore its migration.sql`);
    }
  }
  const names = new Set(records.map((record) => record.migration_name));
  return {
    applied: migrations.flatMap(({ name }) => (names.has(name) ? [name] : [])),
    pending: migrations.flatMap(({ name }) => (names.has(name) ? [] : [name])),
    problems,
  };
}

/**
 * Applies migrations in the caller's transaction, to a database that has none of Warren's tables. What fails ends that
 * transaction.
 */
export async function applyWithin(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  await client.query(MIGRATIONS_TABLE);
  const executed = withWholeTypes(migrations);
  for (const [index, migration] of migrations.entries()) {
    const execution = { id: randomUUID(), startedAt: new Date(), sql: executed[index]!.sql };
    await runMigration(client, migration, execution);
  }
}

const ADDED_VALUE = /^ALTER TYPE "(\w+)" ADD VALUE ('\w+');\r?$/gm;

/**
 * Migrations as they can be executed in one transaction together with what uses their types: PostgreSQL before 17 lets nobody use a
 * value that the transaction has added to an enum, so each type that they make is made with all of its values.
 */
export function withWholeTypes(migrations: readonly Migration[]): Migration[] {
  const made = new Set(
    migrations.flatMap(({ sql }) => [...sql.matchAll(/CREATE TYPE "(\w+)"/g)].map(([, type]) => type)),
  );
  const added = new Map<string, string[]>();
  const shorter = migrations.map(({ name, sql }) => ({
    name,
    sql: sql.replace(ADDED_VALUE, (whole, type: string, value: string) => {
      if (!made.has(type)) return whole;
      added.set(type, [...(added.get(type) ?? []), value]);
      return '';
    }),
  }));
  return shorter.map(({ name, sql }) => ({
    name,
    sql: sql.replace(/(CREATE TYPE "(\w+)" AS ENUM \([^)]*)\)/g, (_whole, start: string, type: string) => {
      return `${[start, ...(added.get(type) ?? [])].join(', ')})`;
    }),
  }));
}

interface Execution {
  id: string;
  startedAt: Date;
  /** What is executed, where that is not the migration as it stands. */
  sql?: string;
}

async function runMigration(client: pg.Client, { name, sql }: Migration, execution: Execution): Promise<void> {
  const { id, startedAt } = execution;
  await client.query(execution.sql ?? sql);
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, $4, clock_timestamp(), 1)`,
    [id, checksumsOf(sql)[0], name, startedAt],
  );
}

/**
 * @param patience.isViewed Whether a running server may read through the views: they are made anew in the migration's own
 *   transaction, so that nobody finds them gone.
 */
async function applyOne(
  client: pg.Client,
  migration: Migration,
  patience: LockPatience & { isViewed: boolean },
): Promise<void> {
  const { name, sql } = migration;
  const execution = { id: randomUUID(), startedAt: new Date() };
  try {
    await withLockTimeout(client, patience, `migration ${name}`, async () => {
      if (patience.isViewed) await dropScopedViews(client);
      await runMigration(client, migration, execution);
      if (patience.isViewed) await createScopedViews(client);
    });
  } catch (thrown) {
    if (thrown instanceof WarrenError) throw thrown;
    const reason = coerceError(thrown).message;
    // The record of the failure is for people; when even that fails, the first error is the one to tell.
    await client
      .query(
        `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, rolled_back_at, logs)
         VALUES ($1, $2, $3, $4, clock_timestamp(), $5)`,
        [execution.id, checksumsOf(sql)[0], name, execution.startedAt, reason],
      )
      .catch(() => {});
    const advice = 'the database is as it was: the Warren that ran before still works with it';
    const message = `migration ${name} failed and was rolled back: ${reason}${placeOf(thrown, sql)}; ${advice}`;
    throw new WarrenError('UNAVAILABLE', message, { cause: thrown });
  }
}

/** ` (line 12)` where the server says at which character it stopped. */
function placeOf(thrown: unknown, sql: string): string {
  const position = thrown instanceof Error && 'position' in thrown ? Number(thrown.position) : Number.NaN;
  return Number.isFinite(position) ? ` (line ${sql.slice(0, position).split('\n').length})` : '';
}
