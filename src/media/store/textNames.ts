import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { nameRow, queryPage } from '#src/base/database/queryRows.ts';

/** From name to name, and for each from run to run until one is of the project: the texts themselves are not read. */
export async function listTextNames(
  connection: Connection,
  projectId: string | null,
  limit: number,
): Promise<string[]> {
  const selected = Prisma.sql`run.deleted_at IS NULL AND (${projectId}::uuid IS NULL OR run.project_id = ${projectId}::uuid)`;
  const rows = await queryPage(connection, nameRow)`
    WITH RECURSIVE known (name) AS (
      (SELECT name FROM media WHERE kind = 'text' ORDER BY name LIMIT 1)
      UNION ALL
      SELECT (SELECT media.name FROM media WHERE kind = 'text' AND media.name > known.name ORDER BY media.name LIMIT 1)
      FROM known WHERE known.name IS NOT NULL
    )
    SELECT known.name FROM known WHERE known.name IS NOT NULL AND EXISTS (
      WITH RECURSIVE holder (run_id) AS (
        (SELECT run_id FROM media WHERE media.name = known.name AND kind = 'text' ORDER BY run_id LIMIT 1)
        UNION ALL
        SELECT (SELECT media.run_id FROM media WHERE media.name = known.name AND kind = 'text' AND media.run_id > holder.run_id
          ORDER BY media.run_id LIMIT 1)
        FROM holder WHERE holder.run_id IS NOT NULL
      ) SELECT FROM holder JOIN run ON run.id = holder.run_id WHERE ${selected})
    ORDER BY name LIMIT ${limit}::int`;
  return rows.map((row) => row.name);
}
