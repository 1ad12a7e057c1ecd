import { z } from 'zod';
import type { Connection } from '#src/base/database/connection.ts';
import { jsonObject, queryPage } from '#src/base/database/queryRows.ts';

const hashesRow = z.object({ hashes: z.string().nullable() });
const addedRow = z.object({ parameters: jsonObject });
const tagRow = z.object({ tag: z.string() });
const userRow = z.object({ user: z.string() });

/** A JSON list of the hashes of the configurations that runs of a project (or of all) use, the newest first, at most `limit`. */
export async function usedHashesJson(connection: Connection, projectId: string | null, limit: number): Promise<string> {
  const rows = await queryPage(connection, hashesRow)`
    SELECT json_agg(hash)::text AS hashes FROM (
      SELECT hash FROM configuration WHERE EXISTS (
        SELECT FROM run WHERE run.configuration_hash = configuration.hash AND run.deleted_at IS NULL
          AND (${projectId}::uuid IS NULL OR run.project_id = ${projectId}::uuid))
      ORDER BY created_at DESC LIMIT ${limit}::int) used`;
  return rows[0]?.hashes ?? '[]';
}

/** Different sets of parameters that the programs of queued commands added to their runs, of the newest `limit` runs of a project (or of all). */
export async function listProgramParameters(
  connection: Connection,
  projectId: string | null,
  limit: number,
): Promise<Record<string, unknown>[]> {
  const rows = await queryPage(connection, addedRow)`
    SELECT DISTINCT environment->'config' AS parameters FROM (
      SELECT environment, needs FROM run
      WHERE deleted_at IS NULL AND (${projectId}::uuid IS NULL OR project_id = ${projectId}::uuid)
      ORDER BY number DESC LIMIT ${limit}::int) newest
    WHERE needs IS NOT NULL AND jsonb_typeof(environment->'config') = 'object'`;
  return rows.map(({ parameters }) => parameters);
}

/** Tags that runs of a project (or of all) have, by name, at most `limit`. */
export async function listTags(connection: Connection, projectId: string | null, limit: number): Promise<string[]> {
  const rows = await queryPage(connection, tagRow)`
    SELECT DISTINCT tag COLLATE "C" AS tag FROM (
      SELECT DISTINCT tags FROM run
      WHERE deleted_at IS NULL AND tags <> '{}' AND (${projectId}::uuid IS NULL OR project_id = ${projectId}::uuid)
    ) tagged, unnest(tagged.tags) tag
    ORDER BY 1 LIMIT ${limit}::int`;
  return rows.map((row) => row.tag);
}

/** Who made runs of a project (or of all), by name, at most `limit`. */
export async function listUserNames(
  connection: Connection,
  projectId: string | null,
  limit: number,
): Promise<string[]> {
  const rows = await queryPage(connection, userRow)`
    SELECT DISTINCT user_name COLLATE "C" AS "user" FROM run
    WHERE deleted_at IS NULL AND user_name <> '' AND (${projectId}::uuid IS NULL OR project_id = ${projectId}::uuid)
    ORDER BY 1 LIMIT ${limit}::int`;
  return rows.map((row) => row.user);
}
