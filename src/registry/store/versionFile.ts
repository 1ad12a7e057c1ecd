import { z } from 'zod';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseText } from '#src/base/database/databaseText.ts';
import { int8, queryRows, timestamp } from '#src/base/database/queryRows.ts';

/** A row of `registry_file`: a file of a version, as it was when the version was registered. */
const fileRow = z.object({
  versionId: z.string(),
  path: z.string(),
  /** The run that made the version. */
  runId: z.string().nullable(),
  /** What it was among the artifacts of that run. */
  artifactName: z.string(),
  sha256: z.string(),
  sizeBytes: int8,
  mediaType: z.string(),
  /** When the version was registered. */
  createdAt: timestamp,
});
export type VersionFile = z.infer<typeof fileRow>;

/** A file of a version that is new. */
export type NewVersionFile = Omit<VersionFile, 'versionId' | 'runId' | 'createdAt'>;

const COLUMNS = Prisma.sql`file.version_id AS "versionId", file.path, version.run_id AS "runId",
  file.artifact_name AS "artifactName", file.sha256, file.size_bytes AS "sizeBytes", file.media_type AS "mediaType",
  version.created_at AS "createdAt"`;
const FROM = Prisma.sql`registry_file file JOIN registry_version version ON version.id = file.version_id`;

/** Gives a version the files of a run, by their names among its artifacts. */
export async function insertVersionFiles(
  connection: Connection,
  versionId: string,
  files: readonly NewVersionFile[],
): Promise<void> {
  if (files.length === 0) return;
  const rows = files.map(
    ({ path, artifactName, sha256, sizeBytes, mediaType }) => Prisma.sql`(${versionId}::uuid, ${databaseText(path)},
      ${databaseText(artifactName)}, ${sha256}, ${sizeBytes}::int8, ${databaseText(mediaType)})`,
  );
  await connection.$executeRaw`
    INSERT INTO registry_file (version_id, path, artifact_name, sha256, size_bytes, media_type)
    VALUES ${Prisma.join(rows)}`;
}

/** The files of the versions, by path, so many of each at most. */
export async function listVersionFiles(
  connection: Connection,
  versionIds: readonly string[],
  first: number,
): Promise<VersionFile[]> {
  return await queryRows(connection, fileRow)`
    SELECT file.* FROM (
      SELECT ${COLUMNS}, row_number() OVER (PARTITION BY file.version_id ORDER BY file.path COLLATE "C") AS place
      FROM ${FROM} WHERE file.version_id = ANY(${[...versionIds]}::uuid[])
    ) file WHERE file.place <= ${first}::int ORDER BY file."versionId", file.place`;
}

const totalsRow = z.object({ versionId: z.string(), files: int8, bytes: int8 });
export type VersionTotals = z.infer<typeof totalsRow>;

/** How many files the versions have, and their bytes. */
export async function listVersionTotals(
  connection: Connection,
  versionIds: readonly string[],
): Promise<VersionTotals[]> {
  return await queryRows(connection, totalsRow)`
    SELECT version_id AS "versionId", count(*) AS files, sum(size_bytes)::int8 AS bytes FROM registry_file
    WHERE version_id = ANY(${[...versionIds]}::uuid[]) GROUP BY version_id`;
}

/** A file that a version made by the run has under this content, whatever the run has now; null when there is none. */
export async function findRegisteredFile(
  connection: Connection,
  { runId, artifactName, sha256 }: { runId: string; artifactName: string; sha256: string },
): Promise<VersionFile | null> {
  const rows = await queryRows(connection, fileRow)`
    SELECT ${COLUMNS} FROM ${FROM} WHERE file.sha256 = ${sha256} AND version.run_id = ${runId}::uuid
      AND file.artifact_name = ${databaseText(artifactName)} LIMIT 1`;
  return rows[0] ?? null;
}
