import { z } from 'zod';
import type { Connection } from '#src/base/database/connection.ts';
import { int8, queryRows } from '#src/base/database/queryRows.ts';

const foundRow = z.object({ found: z.boolean() });

/** Whether an artifact, a registered version or an upload of this database is one of these contents. */
export async function anyReferenced(connection: Connection, sha256s: readonly string[]): Promise<boolean> {
  const rows = await queryRows(connection, foundRow)`
    SELECT EXISTS (SELECT FROM artifact WHERE sha256 = ANY(${[...sha256s]}::text[]))
      OR EXISTS (SELECT FROM registry_file WHERE sha256 = ANY(${[...sha256s]}::text[]))
      OR EXISTS (SELECT FROM unsettled_content WHERE sha256 = ANY(${[...sha256s]}::text[])) AS found`;
  return rows[0]?.found === true;
}

const totalsRow = z.object({ files: int8, bytes: int8 });
export type ContentTotals = z.infer<typeof totalsRow>;

/** What all artifacts and registered versions refer to, the same content once. */
export async function referencedContent(connection: Connection): Promise<ContentTotals> {
  const rows = await queryRows(connection, totalsRow)`
    SELECT count(*) AS files, coalesce(sum(size_bytes), 0)::int8 AS bytes
    FROM (SELECT DISTINCT ON (sha256) size_bytes FROM (
      SELECT sha256, size_bytes FROM artifact UNION ALL SELECT sha256, size_bytes FROM registry_file
    ) referenced ORDER BY sha256) content`;
  return rows[0]!;
}

/** What only artifacts of these runs refer to: it is freed when the runs are deleted for good. */
export async function contentOfRunsAlone(connection: Connection, runIds: readonly string[]): Promise<ContentTotals> {
  const rows = await queryRows(connection, totalsRow)`
    SELECT count(*) AS files, coalesce(sum(size_bytes), 0)::int8 AS bytes FROM (
      SELECT DISTINCT ON (sha256) sha256, size_bytes FROM artifact WHERE run_id = ANY(${[...runIds]}::uuid[])
      ORDER BY sha256
    ) own WHERE NOT EXISTS (
      SELECT FROM artifact other WHERE other.sha256 = own.sha256 AND other.run_id <> ALL(${[...runIds]}::uuid[]))
      AND NOT EXISTS (SELECT FROM registry_file WHERE registry_file.sha256 = own.sha256)`;
  return rows[0]!;
}
