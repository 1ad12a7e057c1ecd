import type pg from 'pg';
import { z } from 'zod';
import type { ArtifactStore } from '#src/base/platform/artifacts/artifactStore.ts';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { KEEP_ARTIFACT_FILES_SQL } from '#src/artifacts/store/artifactLock.ts';
import { contentTables, copyTableOut, countPoints, listSequences, listTables } from '#src/base/database/tableCopies.ts';
import type { BackupManifest } from './archiveManifest.ts';
import { addArtifacts, addManifest, addTable, readMigrationRecords } from './fillArchive.ts';
import { type ArchiveWriter, refuseExisting, writeArchive } from './writeArchive.ts';

export interface BackupOptions {
  /** The archive to write; it must not exist yet. */
  path: string;
  databaseUrl: string;
  artifacts: ArtifactStore;
  /** What is being written, for people. */
  onProgress(message: string): void;
  /** What was copied of each table, for who wants to know it all. */
  onTable?(message: string): void;
  /** Gives up: no file is left. */
  signal?: AbortSignal;
}

export interface BackupSummary {
  /** Values of metrics. */
  points: number;
  tables: Record<string, number>;
  artifacts: number;
  artifactBytes: number;
  missingArtifacts: string[];
}

/**
 * Writes the database and the artifacts that it names into one archive while everything goes on: what is in it is the state
 * of one moment. The files of that moment stay until they are copied.
 * @throws WarrenError CONFLICT when the file is there already or the database is not Warren's, UNAVAILABLE without a server.
 */
export async function createBackup(options: BackupOptions): Promise<BackupSummary> {
  const { path, databaseUrl, artifacts, onProgress, onTable, signal } = options;
  await refuseExisting(path);
  const client = await connectPostgres(databaseUrl, { applicationName: 'warren backup', answerMs: 0 });
  let summary: BackupSummary | null = null;
  try {
    await client.query(
      "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '60s'",
    );
    await client.query(KEEP_ARTIFACT_FILES_SQL);
    const fill = async (archive: ArchiveWriter): Promise<void> => {
      onProgress('copying the database');
      const { digests, points, ...state } = await copyState(client, archive, onTable);
      if (digests.length > 0) onProgress(`copying the artifacts (${digests.length})`);
      const copied = await addArtifacts(artifacts, digests, { archive, onProgress });
      const manifest: BackupManifest = {
        format: 'warren-backup',
        version: 1,
        createdAt: new Date().toISOString(),
        ...state,
        missingArtifacts: copied.missing,
        members: [...archive.members],
      };
      await addManifest(archive, manifest);
      summary = {
        points,
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

/** Every table, and what else one snapshot of the database says. */
async function copyState(client: pg.Client, archive: ArchiveWriter, onTable: BackupOptions['onTable']) {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const migrations = await readMigrationRecords(client);
  const shapes = await listTables(client);
  const tables: BackupManifest['tables'] = [];
  for (const shape of shapes) {
    const rows = await addTable(archive, shape.name, copyTableOut(client, shape));
    tables.push({ ...shape, rows });
    onTable?.(`table ${shape.name}: ${rows} rows`);
  }
  const contents = contentTables(shapes).map((table) => `SELECT sha256 FROM ${table}`);
  const { rows: named } = await client.query(`${contents.join(' UNION ')} ORDER BY sha256`);
  const digests = z
    .array(z.object({ sha256: z.string() }))
    .parse(named)
    .map(({ sha256 }) => sha256);
  const sequences = await listSequences(client);
  const points = await countPoints(client);
  await client.query('COMMIT');
  return { migrations, tables, sequences, digests, points };
}
