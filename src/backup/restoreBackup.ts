import type pg from 'pg';
import { z } from 'zod';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { ArtifactStore } from '#src/base/platform/artifacts/artifactStore.ts';
import { readMigrations } from '#src/base/platform/postgres/migrationFiles.ts';
import { applyMigrations, applyWithin, lockMigrations } from '#src/base/platform/postgres/migrations.ts';
import { connectPostgres, describeDatabase } from '#src/base/platform/postgres/postgresClient.ts';
import {
  beginEpoch,
  countPoints,
  dropAllTables,
  listFilledTables,
  listTables,
  readIdentity,
  setSequence,
} from '#src/base/database/tableCopies.ts';
import { artifactOfMember, backupManifestSchema, tableOfMember } from './archiveManifest.ts';
import type { BackupSummary } from './createBackup.ts';
import { chooseMigrations, loadTables, progressEvery } from './loadArchive.ts';
import { readArchive, verifyArchive } from './readArchive.ts';

export interface RestoreOptions {
  path: string;
  databaseUrl: string;
  artifacts: ArtifactStore;
  /** Whether what the database holds may go. */
  replace: boolean;
  onProgress(message: string): void;
  /** What was copied of each table, for who wants to know it all. */
  onTable?(message: string): void;
  /** Gives up: the database stays as it was. */
  signal?: AbortSignal;
}

/** What a Warren leaves in a database before anything was asked of it. */
const LEFT_BY_A_START = new Set(['worker', 'database_identity']);

/**
 * Brings a backup into a database and an artifact store. The whole archive is checked before anything is changed; the
 * database changes in one transaction, and then gets the migrations that are newer than the backup.
 * @throws WarrenError BAD_INPUT when the archive is not whole, CONFLICT when the database is not empty, is in use, or the
 *   backup is a newer Warren's.
 */
export async function restoreBackup(options: RestoreOptions): Promise<BackupSummary & { createdAt: string }> {
  const { path, databaseUrl, onProgress, onTable } = options;
  onProgress('checking the backup');
  const manifest = await verifyArchive(path, backupManifestSchema, progressEvery(onProgress));
  const migrations = chooseMigrations(manifest, await readMigrations());
  const client = await connectPostgres(databaseUrl, { applicationName: 'warren restore', answerMs: 0 });
  const artifacts = { count: 0, bytes: 0 };
  let points = 0;
  try {
    await client.query(
      "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '10s'",
    );
    await lockMigrations(client);
    await refuseUse(client, databaseUrl);
    if (!options.replace) await refuseFilled(client, databaseUrl);
    const replaced = await readIdentity(client);
    onProgress('restoring database and artifacts');
    await client.query('BEGIN');
    await dropAllTables(client);
    await applyWithin(client, migrations);
    const mayHave = (await listTables(client)).map(({ name }) => name);
    const tables = loadTables(client, manifest, { mayHave, onTable });
    for await (const member of readArchive(path)) {
      options.signal?.throwIfAborted();
      const sha256 = artifactOfMember(member.name);
      const table = tableOfMember(member.name);
      if (table !== null) await tables.take(table, member);
      if (sha256 === null) continue;
      await options.artifacts.put(member.content, { maximumBytes: Number.MAX_SAFE_INTEGER, expectedSha256: sha256 });
      artifacts.count += 1;
      artifacts.bytes += member.sizeBytes;
    }
    await tables.finish();
    points = await countPoints(client);
    for (const position of manifest.sequences) await setSequence(client, position);
    await client.query('COMMIT');
    if (replaced !== null && replaced !== (await readIdentity(client))) {
      await options.artifacts.owners.remove(replaced); // that database is gone for good
    }
  } finally {
    await client.end(); // what was not committed is rolled back
  }
  await applyMigrations(databaseUrl, { onWait: onProgress });
  await withClient(databaseUrl, beginEpoch);
  return {
    createdAt: manifest.createdAt,
    points,
    tables: Object.fromEntries(manifest.tables.map(({ name, rows }) => [name, rows])),
    artifacts: artifacts.count,
    artifactBytes: artifacts.bytes,
    missingArtifacts: manifest.missingArtifacts,
  };
}

async function withClient(databaseUrl: string, act: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = await connectPostgres(databaseUrl, { applicationName: 'warren restore', answerMs: 0 });
  try {
    await act(client);
  } finally {
    await client.end();
  }
}

const usersSchema = z.array(z.object({ pid: z.number(), name: z.string() }));

async function refuseUse(client: pg.Client, databaseUrl: string): Promise<void> {
  const { rows } = await client.query(
    `SELECT pid, coalesce(nullif(application_name, ''), 'a program without a name') AS name FROM pg_stat_activity
     WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  );
  const users = usersSchema.parse(rows);
  if (users.length === 0) return;
  const names = [...new Set(users.map(({ name }) => name))].join(', ');
  const message = `the database ${describeDatabase(databaseUrl)} is in use (${names}): stop Warren's API and workers, then restore`;
  throw new WarrenError('CONFLICT', message);
}

async function refuseFilled(client: pg.Client, databaseUrl: string): Promise<void> {
  const filled = (await listFilledTables(client)).filter((name) => !LEFT_BY_A_START.has(name));
  if (filled.length === 0) return;
  const message = `the database ${describeDatabase(databaseUrl)} is not empty (it has rows in ${filled.join(', ')})`;
  throw new WarrenError('CONFLICT', `${message}: restore into an empty one, or give --replace to lose what is in it`);
}
