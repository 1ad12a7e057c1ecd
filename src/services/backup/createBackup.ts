import type pg from 'pg';
import { z } from 'zod';
import { WarrenError } from '#src/contracts/errors.ts';
import type { ArtifactStore } from '#src/platform/artifacts/artifactStore.ts';
import { connectPostgres } from '#src/platform/postgres/postgresClient.ts';
import { KEEP_ARTIFACT_FILES_SQL } from '#src/store/artifacts/artifactLock.ts';
import { copyTableOut, listSequences, listTables, type TableShape } from '#src/store/database/tableCopies.ts';
import { artifactName, type BackupManifest, MANIFEST_NAME, tablePartName } from './backupManifest.ts';
import { type ArchiveWriter, refuseExisting, writeArchive } from './writeArchive.ts';

export interface BackupOptions {
  /** The archive to write; there must be none yet. */
  path: string;
  databaseUrl: string;
  artifacts: ArtifactStore;
  /** What is being written, for people. */
  onProgress(message: string): void;
  /** Gives up: no file is left. */
  signal?: AbortSignal;
}

export interface BackupSummary {
  tables: Record<string, number>;
  artifacts: number;
  artifactBytes: number;
  missingArtifacts: string[];
}

/** A table's rows are cut into members of about this size, since a member's size is written before its content. */
const PART_BYTES = 8 << 20;

/**
 * Writes the database and the artifacts that it names into one archive while everything goes on: what is in it is the state
 * of one moment. The files of that moment stay until they are copied.
 * @throws WarrenError CONFLICT when the file is there already or the database is not Warren's, UNAVAILABLE without a server.
 */
export async function createBackup(options: BackupOptions): Promise<BackupSummary> {
  const { path, databaseUrl, artifacts, onProgress, signal } = options;
  await refuseExisting(path);
  const client = await connectPostgres(databaseUrl, { applicationName: 'warren backup', answerMs: 0 });
  let summary: BackupSummary | null = null;
  try {
    await client.query(
      "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '60s'",
    );
    await client.query(KEEP_ARTIFACT_FILES_SQL);
    const fill = async (archive: ArchiveWriter): Promise<void> => {
      const { digests, ...state } = await copyState(client, { archive, onProgress });
      const copied = await copyArtifacts(artifacts, digests, { archive, onProgress });
      const manifest: BackupManifest = {
        format: 'warren-backup',
        version: 1,
        createdAt: new Date().toISOString(),
        ...state,
        missingArtifacts: copied.missing,
        members: [...archive.members],
      };
      const text = Buffer.from(JSON.stringify(manifest));
      await archive.add(MANIFEST_NAME, text.byteLength, chunks([text]));
      summary = {
        tables: Object.fromEntries(state.tables.map(({ name, rows }) => [name, rows])),
        artifacts: copied.count,
        artifactBytes: copied.bytes,
        missingArtifacts: copied.missing,
      };
    };
    await writeArchive(path, fill, signal);
  } finally {
    await client.end();
  }
  return summary!;
}

interface Output {
  archive: ArchiveWriter;
  onProgress(message: string): void;
}

/** Every table, and what else one snapshot of the database says. */
async function copyState(client: pg.Client, output: Output) {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const migrations = await readMigrationRecords(client);
  const shapes = await listTables(client);
  const tables: BackupManifest['tables'] = [];
  for (const shape of shapes) {
    const rows = await copyTable(client, shape, output.archive);
    tables.push({ ...shape, rows });
    output.onProgress(`table ${shape.name}: ${rows} rows`);
  }
  const { rows: named } = await client.query('SELECT DISTINCT sha256 FROM artifact ORDER BY sha256');
  const digests = z
    .array(z.object({ sha256: z.string() }))
    .parse(named)
    .map(({ sha256 }) => sha256);
  const sequences = await listSequences(client);
  await client.query('COMMIT');
  return { migrations, tables, sequences, digests };
}

async function readMigrationRecords(client: pg.Client): Promise<BackupManifest['migrations']> {
  const table = await client.query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS present");
  if (table.rows[0]?.present !== true) throw new WarrenError('CONFLICT', 'the database has no tables of Warren');
  const { rows } = await client.query(
    `SELECT migration_name AS name, checksum FROM _prisma_migrations
     WHERE rolled_back_at IS NULL AND finished_at IS NOT NULL ORDER BY migration_name`,
  );
  return z.array(z.object({ name: z.string(), checksum: z.string() })).parse(rows);
}

async function copyTable(client: pg.Client, shape: TableShape, archive: ArchiveWriter): Promise<number> {
  const stream = copyTableOut(client, shape);
  let part: Buffer[] = [];
  let bytes = 0;
  let parts = 0;
  const flush = async (): Promise<void> => {
    parts += 1;
    await archive.add(tablePartName(shape.name, parts), bytes, chunks(part));
    part = [];
    bytes = 0;
  };
  for await (const chunk of stream) {
    part.push(chunk);
    bytes += chunk.byteLength;
    if (bytes >= PART_BYTES) await flush();
  }
  if (bytes > 0) await flush();
  return stream.rowCount;
}

async function copyArtifacts(store: ArtifactStore, digests: readonly string[], { archive, onProgress }: Output) {
  const copied = { count: 0, bytes: 0, missing: [] as string[] };
  for (const sha256 of digests) {
    const size = await store.size(sha256);
    // Read twice: a member's bytes cannot be taken back once they turn out to be damaged.
    if (size === null || !(await store.verify(sha256))) {
      copied.missing.push(sha256);
      onProgress(`artifact ${sha256} is ${size === null ? 'gone' : 'damaged'}: it is left out`);
      continue;
    }
    await archive.add(artifactName(sha256), size, await store.read(sha256));
    copied.count += 1;
    copied.bytes += size;
    if (copied.count % 100 === 0) onProgress(`${copied.count} of ${digests.length} artifacts`);
  }
  return copied;
}

async function* chunks(parts: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* parts;
}
