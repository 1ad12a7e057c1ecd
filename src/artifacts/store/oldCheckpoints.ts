import { z } from 'zod';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { int8, queryRows } from '#src/base/database/queryRows.ts';
import { endedLongAgo } from '#src/base/database/endedLongAgo.ts';

/** Checkpoints of runs that ended so long ago, but for those that other runs use as inputs. */
function oldCheckpoints(days: number): Prisma.Sql {
  return Prisma.sql`artifact.role = 'checkpoint' AND EXISTS (
      SELECT FROM run WHERE run.id = artifact.run_id AND ${endedLongAgo(days)})
    AND NOT EXISTS (SELECT FROM run_input
      WHERE run_input.source_run_id = artifact.run_id AND run_input.artifact_name = artifact.name)`;
}

const totalsRow = z.object({ runs: int8, files: int8, bytes: int8 });
export type CheckpointTotals = z.infer<typeof totalsRow>;

/** How many there are, and the bytes that nothing else refers to. */
export async function countOldCheckpoints(connection: Connection, days: number): Promise<CheckpointTotals> {
  const rows = await queryRows(connection, totalsRow)`
    WITH old AS (SELECT id, run_id, sha256, size_bytes FROM artifact WHERE ${oldCheckpoints(days)})
    SELECT count(DISTINCT run_id) AS runs, count(*) AS files, (
      SELECT coalesce(sum(size_bytes), 0)::int8 FROM (SELECT DISTINCT ON (sha256) sha256, size_bytes FROM old) content
      WHERE NOT EXISTS (SELECT FROM registry_file WHERE registry_file.sha256 = content.sha256)
        AND NOT EXISTS (SELECT FROM artifact other WHERE other.sha256 = content.sha256
          AND other.id NOT IN (SELECT id FROM old))
    ) AS bytes FROM old`;
  return rows[0]!;
}

/** Removes some of them. Returns how many; the collector frees their files. */
export async function removeOldCheckpoints(connection: Connection, days: number, limit: number): Promise<number> {
  return await connection.$executeRaw`
    DELETE FROM artifact WHERE id IN (SELECT id FROM artifact WHERE ${oldCheckpoints(days)} LIMIT ${limit}::int)`;
}
