import { WarrenError } from '#src/base/contracts/errors.ts';
import type { ArtifactStore } from '#src/base/platform/artifacts/artifactStore.ts';
import { STUDIES } from '#src/catalog/studies/studies.ts';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { KEEP_ARTIFACT_FILES_SQL } from '#src/artifacts/store/artifactLock.ts';
import {
  copyProjectRowsOut,
  countLeftBehind,
  type LeftBehind,
  listProjectContent,
  listProjectTables,
  readProject,
} from '#src/backup/store/projectRows.ts';
import type { OptionalPart } from '#src/base/contracts/optionalParts.ts';
import { TABLES_BESIDE_PARTS, TABLES_OF_PART } from '#src/backup/store/projectTables.ts';
import { studyNeeds } from '#src/studies/verdicts/studyNeeds.ts';
import type { ProjectManifest } from './archiveManifest.ts';
import { addArtifacts, addManifest, addTable, readMigrationRecords } from './fillArchive.ts';
import { type ArchiveWriter, refuseExisting, writeArchive } from './writeArchive.ts';

export interface ProjectExportOptions {
  project: string;
  /** The archive to write; it must not exist yet. One that ends in `.gz` is compressed. */
  path: string;
  without: readonly OptionalPart[];
  /** Takes of points and artifacts only what figures and tests of the catalog's studies read, and no logs. */
  forStudies?: boolean;
  databaseUrl: string;
  artifacts: ArtifactStore;
  /** What is being written, for people. */
  onProgress(message: string): void;
  /** What was copied of each table, for who wants to know it all. */
  onTable?(message: string): void;
  /** Gives up: no file is left. */
  signal?: AbortSignal;
}

export interface ProjectExportSummary {
  tables: Record<string, number>;
  artifacts: number;
  artifactBytes: number;
  missingArtifacts: string[];
  /** What of the project is not in it. */
  leftBehind: LeftBehind;
}

/**
 * Writes a project into one archive while everything goes on: its runs that have ended and what belongs to them, its sweeps,
 * views and reports, and its decisions that have ended, as they are at one moment.
 * @throws WarrenError NOT_FOUND without such a project, CONFLICT when the file is there already.
 */
export async function exportProject(options: ProjectExportOptions): Promise<ProjectExportSummary> {
  const { path, databaseUrl, artifacts, onProgress, onTable, without, signal } = options;
  const forStudies = options.forStudies === true;
  const leftOut = [...without.flatMap((part) => TABLES_OF_PART[part]), ...(forStudies ? TABLES_BESIDE_PARTS : [])];
  await refuseExisting(path);
  const client = await connectPostgres(databaseUrl, { applicationName: 'warren project export', answerMs: 0 });
  let summary: ProjectExportSummary | null = null;
  try {
    await client.query(
      "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '60s'",
    );
    await client.query(KEEP_ARTIFACT_FILES_SQL);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const project = await readProject(client, options.project);
    if (project === null) throw new WarrenError('NOT_FOUND', `there is no project "${options.project}"`);
    const fill = async (archive: ArchiveWriter): Promise<void> => {
      const tables: ProjectManifest['tables'] = [];
      const choice = { project: project.id, parts: forStudies ? studyNeeds(STUDIES) : null };
      for (const shape of await listProjectTables(client, leftOut)) {
        const rows = await addTable(archive, shape.name, copyProjectRowsOut(client, shape, choice));
        tables.push({ ...shape, rows });
        onTable?.(`table ${shape.name}: ${rows} rows`);
      }
      const migrations = await readMigrationRecords(client);
      const leftBehind = await countLeftBehind(client, project.id);
      const digests = without.includes('artifacts') ? [] : await listProjectContent(client, choice);
      await client.query('COMMIT');
      const copied = await addArtifacts(artifacts, digests, { archive, onProgress });
      await addManifest(archive, {
        format: 'warren-project',
        version: 1,
        createdAt: new Date().toISOString(),
        project,
        without: [...without],
        ...(forStudies && { only: 'studies' as const }),
        migrations,
        tables,
        missingArtifacts: copied.missing,
        members: [...archive.members],
      });
      summary = {
        tables: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])),
        artifacts: copied.count,
        artifactBytes: copied.bytes,
        missingArtifacts: copied.missing,
        leftBehind,
      };
    };
    await writeArchive(path, fill, signal);
  } finally {
    await client.end();
  }
  return summary!;
}
