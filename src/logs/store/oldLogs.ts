import { z } from 'zod';
import type { Connection } from '#src/base/database/connection.ts';
import { idRow, int8, queryRows } from '#src/base/database/queryRows.ts';
import { endedLongAgo } from '#src/base/database/endedLongAgo.ts';

const oldLogRow = z.object({ runId: z.string(), lines: int8, bytes: int8 });
/** How many lines of a run's log go, and the bytes of their texts. */
export type OldLog = z.infer<typeof oldLogRow>;

/** What goes of the logs of the next runs that ended so long ago, by id after `after`; runs of which nothing goes as well. */
export async function listOldLogs(
  connection: Connection,
  { days, keep, after, limit }: { days: number; keep: number; after: string; limit: number },
): Promise<OldLog[]> {
  return await queryRows(connection, oldLogRow)`
    SELECT run.id AS "runId", old.lines, old.bytes
    FROM (SELECT id, attempt FROM run WHERE ${endedLongAgo(days)} AND id > ${after}::uuid ORDER BY id LIMIT ${limit}::int) run
    CROSS JOIN LATERAL (
      SELECT count(*) AS lines, coalesce(sum(octet_length(log_line.text)), 0)::int8 AS bytes
      FROM generate_series(0, run.attempt) AS one (attempt)
      CROSS JOIN LATERAL (SELECT max(line) AS line FROM log_line WHERE run_id = run.id AND attempt = one.attempt) last
      JOIN log_line ON log_line.run_id = run.id AND log_line.attempt = one.attempt AND log_line.line <= last.line - ${keep}::int
    ) old ORDER BY run.id`;
}

/**
 * Removes lines of the log of a run that still has ended so long ago, but for the last `keep` of each attempt.
 * @returns how many: 0 where another transaction holds the run.
 */
export async function removeOldLog(
  connection: Connection,
  runId: string,
  { days, keep }: { days: number; keep: number },
): Promise<number> {
  const locked = await queryRows(connection, idRow)`
    SELECT id FROM run WHERE id = ${runId}::uuid AND ${endedLongAgo(days)} FOR NO KEY UPDATE SKIP LOCKED`;
  if (locked.length === 0) return 0;
  return await connection.$executeRaw`
    DELETE FROM log_line USING (
      SELECT attempt, max(line) AS line FROM log_line WHERE run_id = ${runId}::uuid GROUP BY attempt
    ) last
    WHERE log_line.run_id = ${runId}::uuid AND log_line.attempt = last.attempt AND log_line.line <= last.line - ${keep}::int`;
}
