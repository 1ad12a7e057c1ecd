import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { isHashOf } from '#src/catalog/resolveConfiguration.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { ArtifactStore } from '#src/base/platform/artifacts/artifactStore.ts';
import { readMigrations } from '#src/base/platform/postgres/migrationFiles.ts';
import { applyMigrations, applyWithin } from '#src/base/platform/postgres/migrations.ts';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { KEEP_ARTIFACT_FILES_SQL } from '#src/artifacts/store/artifactLock.ts';
import {
  currentSchema,
  findStrayFileName,
  type KnownRuns,
  listArrivingConfigurations,
  listKnownRuns,
  listProjectTables,
  openArrivals,
  takeArrivals,
} from '#src/backup/store/projectRows.ts';
import { artifactOfMember, type ProjectManifest, projectManifestSchema, tableOfMember } from './archiveManifest.ts';
import { chooseMigrations, loadTables, progressEvery } from './loadArchive.ts';
import { readArchive, verifyArchive } from './readArchive.ts';

export interface ProjectImportOptions {
  path: string;
  /** The name of the project here; the archive's when left out. */
  into?: string;
  databaseUrl: string;
  artifacts: ArtifactStore;
  onProgress(message: string): void;
  /** What was copied of each table, for who wants to know it all. */
  onTable?(message: string): void;
  /** Gives up: the database stays as it was. */
  signal?: AbortSignal;
}

export interface ProjectImportSummary {
  project: string;
  createdAt: string;
  without: ProjectManifest['without'];
  /** What points and artifacts it was written for; null where it has those of everything. */
  only: NonNullable<ProjectManifest['only']> | null;
  /** Rows that came, by table. */
  tables: Record<string, number>;
  /** Runs of the archive that were here before, and stay as they are. */
  knownRuns: number;
  /** Where they are. */
  knownIn: KnownRuns[];
  artifacts: number;
}

/**
 * Brings a project's archive into a database in use. Runs, sweeps, decisions and reports keep their ids and get new numbers; those that
 * are here already stay as they are, so that importing again adds nothing. The rows first come into a schema of their own with
 * the tables as the archive has them, and go through the migrations that are newer; all of it is one transaction.
 * Nothing in it is believed: only its own tables are taken, only runs that have ended, hashes are computed again, and names of files
 * stay within a folder.
 * @throws WarrenError BAD_INPUT when the archive is not whole or was altered, CONFLICT when a newer Warren wrote it.
 */
export async function importProject(options: ProjectImportOptions): Promise<ProjectImportSummary> {
  const { path, databaseUrl, onProgress, onTable } = options;
  onProgress('checking the archive');
  const manifest = await verifyArchive(path, projectManifestSchema, progressEvery(onProgress));
  const known = await readMigrations();
  const then = chooseMigrations(manifest, known);
  const since = known.filter(({ name }) => !then.some((migration) => migration.name === name));
  await applyMigrations(databaseUrl, { onWait: onProgress });
  const client = await connectPostgres(databaseUrl, { applicationName: 'warren project import', answerMs: 0 });
  try {
    await client.query(
      "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '60s'",
    );
    await client.query(KEEP_ARTIFACT_FILES_SQL);
    const artifacts = await bringArtifacts(client, options);
    const home = await currentSchema(client);
    const schema = `arriving_${randomBytes(6).toString('hex')}`;
    await client.query('BEGIN');
    await openArrivals(client, schema);
    await applyWithin(client, then);
    const mayHave = (await listProjectTables(client, [])).map(({ name }) => name);
    const tables = loadTables(client, manifest, { mayHave, onTable });
    for await (const member of readArchive(path)) {
      options.signal?.throwIfAborted();
      const table = tableOfMember(member.name);
      if (table !== null) await tables.take(table, member);
    }
    await tables.finish();
    await applyWithin(client, since);
    for (const { hash, ...content } of await listArrivingConfigurations(client)) {
      if (isHashOf(hash, content)) continue;
      throw new WarrenError(
        'BAD_INPUT',
        `${path} has a configuration whose hash ${hash} is not its own: it was altered`,
      );
    }
    const stray = await findStrayFileName(client);
    if (stray !== null) {
      const expected = 'a relative path, none of whose parts is empty, "." or ".."';
      throw new WarrenError(
        'BAD_INPUT',
        `${path} has a file under the name ${JSON.stringify(stray)}, which is not ${expected}: it was altered`,
      );
    }
    const { into } = options;
    const project = { ...manifest.project, ...(into !== undefined && { name: into }), isNamed: into !== undefined };
    const knownIn = await listKnownRuns(client, home);
    const counts = await takeArrivals(client, { schema, home, project });
    options.signal?.throwIfAborted();
    await client.query('COMMIT');
    const { project: _, configuration: __, ...rest } = counts;
    const runs = manifest.tables.find(({ name }) => name === 'run')?.rows ?? 0;
    return {
      project: project.name,
      createdAt: manifest.createdAt,
      without: manifest.without,
      only: manifest.only ?? null,
      tables: rest,
      knownRuns: runs - (counts.run ?? 0),
      knownIn,
      artifacts,
    };
  } finally {
    await client.end(); // what was not committed is rolled back
  }
}

/** Stores content that is not there yet, known to the collector in case no row comes to name it. Resolves to how much it was. */
async function bringArtifacts(client: pg.Client, { path, artifacts, signal }: ProjectImportOptions): Promise<number> {
  let count = 0;
  for await (const member of readArchive(path)) {
    signal?.throwIfAborted();
    const sha256 = artifactOfMember(member.name);
    if (sha256 === null || (await artifacts.size(sha256)) !== null) continue;
    await client.query('INSERT INTO unsettled_content (sha256) VALUES ($1)', [sha256]);
    await artifacts.put(member.content, { maximumBytes: Number.MAX_SAFE_INTEGER, expectedSha256: sha256 });
    count += 1;
  }
  return count;
}
