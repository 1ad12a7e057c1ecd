import { z } from 'zod';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseText } from '#src/base/database/databaseText.ts';
import { queryRows } from '#src/base/database/queryRows.ts';

/** What lies in a folder of a run's artifacts. */
const fileRow = z.object({
  name: z.string(),
  isFolder: z.boolean(),
  /** Null for folders. */
  sizeBytes: z.number().nullable(),
});
export type RunFileEntry = z.infer<typeof fileRow>;

/** The files and folders in a folder of a run's artifacts, by name. @param folder Empty, or a path that ends with a slash. */
export async function listRunFiles(connection: Connection, runId: string, folder: string): Promise<RunFileEntry[]> {
  const prefix = databaseText(folder);
  return await queryRows(connection, fileRow)`
    SELECT split_part(rest, '/', 1) AS name, bool_or(strpos(rest, '/') > 0) AS "isFolder",
      (max(size_bytes) FILTER (WHERE strpos(rest, '/') = 0))::float8 AS "sizeBytes"
    FROM (
      SELECT substr(name, length(${prefix}::text) + 1) AS rest, size_bytes FROM artifact
      WHERE run_id = ${runId}::uuid AND role <> 'media' AND starts_with(name, ${prefix}::text)
    ) inside GROUP BY 1 ORDER BY split_part(rest, '/', 1) COLLATE "C"`;
}

/** Removes a file of a run, or all files in a folder: how many there were. */
export async function removeRunFiles(connection: Connection, runId: string, path: string): Promise<number> {
  const name = databaseText(path);
  return await connection.$executeRaw`
    DELETE FROM artifact WHERE run_id = ${runId}::uuid AND role <> 'media'
      AND (name = ${name} OR starts_with(name, ${`${name}/`}::text))`;
}
