import { z } from 'zod';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseText } from '#src/base/database/databaseText.ts';
import { int8, queryRows } from '#src/base/database/queryRows.ts';

const storageRow = z.object({
  name: z.string(),
  files: int8,
  bytes: int8,
  trashBytes: int8,
  quotaBytes: int8.nullable(),
});
/** What the artifacts of a project take, the same content once, those of runs in the trash included. */
export type ProjectStorage = z.infer<typeof storageRow>;

/** What each project takes, the largest first; one alone by its name. */
export async function listProjectStorage(
  connection: Connection,
  { name = null, limit }: { name?: string | null; limit: number },
): Promise<ProjectStorage[]> {
  return await queryRows(connection, storageRow)`
    SELECT project.name, coalesce(taken.files, 0) AS files,
      coalesce(taken.bytes, 0)::int8 AS bytes, coalesce(taken.trash_bytes, 0)::int8 AS "trashBytes",
      project.artifact_quota_bytes AS "quotaBytes"
    FROM project LEFT JOIN (
      SELECT project_id, count(*) AS files, sum(size_bytes) AS bytes,
        sum(size_bytes) FILTER (WHERE in_trash) AS trash_bytes
      FROM (
        SELECT run.project_id, artifact.sha256, max(artifact.size_bytes) AS size_bytes,
          bool_and(run.deleted_at IS NOT NULL) AS in_trash
        FROM artifact JOIN run ON run.id = artifact.run_id GROUP BY run.project_id, artifact.sha256
      ) content GROUP BY project_id
    ) taken ON taken.project_id = project.id
    WHERE project.deleted_at IS NULL AND (${name}::text IS NULL OR project.name = ${name})
    ORDER BY coalesce(taken.bytes, 0) DESC, project.name LIMIT ${limit}::int`;
}

/** Sets what a project's artifacts may take; null: no limit. False where there is no such project. */
export async function setProjectQuota(connection: Connection, name: string, bytes: number | null): Promise<boolean> {
  const { count } = await connection.project.updateMany({
    where: { name: databaseText(name), deletedAt: null },
    data: { artifactQuotaBytes: bytes === null ? null : BigInt(bytes) },
  });
  return count > 0;
}

const roomRow = z.object({ project: z.string(), quotaBytes: int8, files: int8, bytes: int8, trashBytes: int8 });

/**
 * What the project of a run takes, without the artifact that is to be replaced and without the content that comes again; null
 * where the project has no limit.
 */
export async function projectRoom(
  connection: Connection,
  upload: { runId: string; name: string; sha256: string | null },
): Promise<z.infer<typeof roomRow> | null> {
  const rows = await queryRows(connection, roomRow)`
    SELECT project.name AS project, project.artifact_quota_bytes AS "quotaBytes", taken.*
    FROM run JOIN project ON project.id = run.project_id CROSS JOIN LATERAL (
      SELECT count(*) AS files, coalesce(sum(size_bytes), 0)::int8 AS bytes,
        coalesce(sum(size_bytes) FILTER (WHERE in_trash), 0)::int8 AS "trashBytes"
      FROM (
        SELECT max(artifact.size_bytes) AS size_bytes, bool_and(other.deleted_at IS NOT NULL) AS in_trash
        FROM artifact JOIN run other ON other.id = artifact.run_id
        WHERE other.project_id = project.id AND artifact.sha256 IS DISTINCT FROM ${upload.sha256}
          AND NOT (artifact.run_id = run.id AND artifact.name = ${databaseText(upload.name)})
        GROUP BY artifact.sha256
      ) content
    ) taken
    WHERE run.id = ${upload.runId}::uuid AND project.artifact_quota_bytes IS NOT NULL`;
  return rows[0] ?? null;
}
