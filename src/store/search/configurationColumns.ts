import type { ConfigurationRecord } from '../runs/configurationRecord.ts';
import type { Connection } from '../database/connection.ts';

/** Dataset selections and parameters that runs of a project (or of all) use, the newest first, at most `limit`. */
export async function listUsedConfigurations(
  connection: Connection,
  projectId: string | null,
  limit: number,
): Promise<Pick<ConfigurationRecord, 'dataset' | 'parameters'>[]> {
  return await connection.$queryRaw<Pick<ConfigurationRecord, 'dataset' | 'parameters'>[]>`
    SELECT dataset, parameters FROM configuration WHERE EXISTS (
      SELECT FROM run WHERE run.configuration_hash = configuration.hash AND run.deleted_at IS NULL
        AND (${projectId}::uuid IS NULL OR run.project_id = ${projectId}::uuid))
    ORDER BY created_at DESC LIMIT ${limit}::int`;
}

/** Hashes of the configurations that runs of a project (or of all) use, the newest first, at most `limit`. */
export async function listUsedHashes(
  connection: Connection,
  projectId: string | null,
  limit: number,
): Promise<string[]> {
  const rows = await connection.$queryRaw<{ hashes: string | null }[]>`
    SELECT json_agg(hash)::text AS hashes FROM (
      SELECT hash FROM configuration WHERE EXISTS (
        SELECT FROM run WHERE run.configuration_hash = configuration.hash AND run.deleted_at IS NULL
          AND (${projectId}::uuid IS NULL OR run.project_id = ${projectId}::uuid))
      ORDER BY created_at DESC LIMIT ${limit}::int) used`;
  const hashes: string[] = JSON.parse(rows[0]?.hashes ?? '[]');
  return hashes;
}

/** Tags that runs of a project (or of all) have, by name, at most `limit`. */
export async function listTags(connection: Connection, projectId: string | null, limit: number): Promise<string[]> {
  const rows = await connection.$queryRaw<{ tag: string }[]>`
    SELECT DISTINCT tag COLLATE "C" AS tag FROM run, unnest(run.tags) tag
    WHERE run.deleted_at IS NULL AND (${projectId}::uuid IS NULL OR run.project_id = ${projectId}::uuid)
    ORDER BY 1 LIMIT ${limit}::int`;
  return rows.map((row) => row.tag);
}
