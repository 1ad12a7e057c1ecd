import { z } from 'zod';
import type { Connection } from '../database/connection.ts';
import { queryRows, textsJson } from '../database/queryRows.ts';
import { type ConfigurationRecord, configurationRow } from '../runs/configurationRecord.ts';

const usedRow = configurationRow.pick({ dataset: true, parameters: true });
const hashesRow = z.object({ hashes: textsJson.nullable() });
const tagRow = z.object({ tag: z.string() });

/** Dataset selections and parameters that runs of a project (or of all) use, the newest first, at most `limit`. */
export async function listUsedConfigurations(
  connection: Connection,
  projectId: string | null,
  limit: number,
): Promise<Pick<ConfigurationRecord, 'dataset' | 'parameters'>[]> {
  return await queryRows(connection, usedRow)`
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
  const rows = await queryRows(connection, hashesRow)`
    SELECT json_agg(hash)::text AS hashes FROM (
      SELECT hash FROM configuration WHERE EXISTS (
        SELECT FROM run WHERE run.configuration_hash = configuration.hash AND run.deleted_at IS NULL
          AND (${projectId}::uuid IS NULL OR run.project_id = ${projectId}::uuid))
      ORDER BY created_at DESC LIMIT ${limit}::int) used`;
  return rows[0]?.hashes ?? [];
}

/** Tags that runs of a project (or of all) have, by name, at most `limit`. */
export async function listTags(connection: Connection, projectId: string | null, limit: number): Promise<string[]> {
  const rows = await queryRows(connection, tagRow)`
    SELECT DISTINCT tag COLLATE "C" AS tag FROM (
      SELECT DISTINCT tags FROM run
      WHERE deleted_at IS NULL AND tags <> '{}' AND (${projectId}::uuid IS NULL OR project_id = ${projectId}::uuid)
    ) tagged, unnest(tagged.tags) tag
    ORDER BY 1 LIMIT ${limit}::int`;
  return rows.map((row) => row.tag);
}
