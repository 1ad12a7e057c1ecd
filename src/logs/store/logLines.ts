import { z } from 'zod';
import { badInput } from '#src/base/contracts/errors.ts';
import { LOG_LEVELS } from '#src/base/contracts/reports.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { queryRows, timestamp } from '#src/base/database/queryRows.ts';

const nextRow = z.object({ runId: z.string(), next: z.int() });

/** What is shown of each of the last lines. */
const LONGEST_LAST_LINE = 2_000;

const lineRow = z.object({
  attempt: z.int(),
  line: z.int(),
  level: z.enum(LOG_LEVELS),
  text: z.string(),
  time: timestamp,
});
export type LogLineRecord = z.infer<typeof lineRow>;
const lastLineRow = lineRow.extend({ runId: z.string(), bytes: z.number() });
export type LastLogLine = Omit<z.infer<typeof lastLineRow>, 'bytes'>;
const countedLineRow = lineRow.extend({ found: z.int() });

/** The number that the next line of each run's newest attempt has: 0 before its first. */
export async function nextLogLines(connection: Connection, runIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await queryRows(connection, nextRow)`
    SELECT run.id AS "runId", coalesce(last.line + 1, 0)::int AS next
    FROM run LEFT JOIN LATERAL (SELECT line FROM log_line WHERE run_id = run.id AND attempt = run.attempt
      ORDER BY line DESC LIMIT 1) last ON true
    WHERE run.id = ANY(${[...runIds]}::uuid[])`;
  return new Map(rows.map(({ runId, next }) => [runId, next]));
}

const cursorSchema = z
  .string()
  .regex(/^\d{1,10}:-?\d{1,10}$/)
  .transform((text) => text.split(':').map(Number))
  .pipe(z.tuple([z.int32(), z.int32()]));

/**
 * Lines of a run after a position, oldest first: at most `first`, and no more than fit into `bytes`, but for the first, which
 * always comes. `more` says whether there are further ones.
 */
export async function listLogLines(
  connection: Connection,
  runId: string,
  range: { after: string | null; first: number; bytes: number },
): Promise<{ lines: LogLineRecord[]; more: boolean }> {
  const [attempt, line] = range.after === null ? [0, -1] : parseLogCursor(range.after);
  const rows = await queryRows(connection, countedLineRow)`
    SELECT attempt, line, level, text, time, found FROM (
      SELECT page.*, count(*) OVER ()::int AS found, row_number() OVER (ORDER BY attempt, line) AS position,
        sum(octet_length(text)) OVER (ORDER BY attempt, line) AS bytes
      FROM (
        SELECT attempt, line, level, text, time FROM log_line
        WHERE run_id = ${runId}::uuid AND (attempt, line) > (${attempt}::int, ${line}::int)
        ORDER BY attempt, line LIMIT ${range.first + 1}::int
      ) page
    ) counted
    WHERE position <= ${range.first}::int AND (position = 1 OR bytes <= ${range.bytes}::int)
    ORDER BY attempt, line`;
  const found = rows[0]?.found ?? 0;
  return { lines: rows.map(({ found: _, ...one }) => one), more: found > rows.length };
}

/** The last lines of a run, oldest first: at most `last`, and no more than fit into `bytes`, but for the very last, which always comes. */
export async function listLogEnd(
  connection: Connection,
  runId: string,
  range: { last: number; bytes: number },
): Promise<LogLineRecord[]> {
  return await queryRows(connection, lineRow)`
    SELECT attempt, line, level, text, time FROM (
      SELECT page.*, row_number() OVER (ORDER BY attempt DESC, line DESC) AS position,
        sum(octet_length(text)) OVER (ORDER BY attempt DESC, line DESC) AS bytes
      FROM (
        SELECT attempt, line, level, text, time FROM log_line WHERE run_id = ${runId}::uuid
        ORDER BY attempt DESC, line DESC LIMIT ${range.last}::int
      ) page
    ) counted
    WHERE position = 1 OR bytes <= ${range.bytes}::int ORDER BY attempt, line`;
}

/** The last lines of each run, oldest first; their texts are left out where all together take more than `mostBytes`. */
export async function listLastLogLines(
  connection: Connection,
  runIds: readonly string[],
  { first, mostBytes }: { first: number; mostBytes: number },
): Promise<{ lines: LastLogLine[]; bytes: number }> {
  const rows = await queryRows(connection, lastLineRow)`
    WITH found AS MATERIALIZED (
      SELECT run.id, last.* FROM unnest(${[...runIds]}::uuid[]) AS run (id)
      CROSS JOIN LATERAL (
        SELECT attempt, line, level, left(text, ${LONGEST_LAST_LINE}::int) AS text, time FROM log_line
        WHERE run_id = run.id ORDER BY attempt DESC, line DESC LIMIT ${first}::int
      ) last
    ), total AS (SELECT coalesce(sum(octet_length(text)), 0)::float8 AS bytes FROM found)
    SELECT id AS "runId", attempt, line, level, CASE WHEN bytes <= ${mostBytes}::float8 THEN text ELSE '' END AS text, time, bytes
    FROM found, total ORDER BY attempt, line`;
  return { lines: rows.map(({ bytes: _, ...one }) => one), bytes: rows[0]?.bytes ?? 0 };
}

/** The position after a line, to be given back as `after`. */
export function logCursor(line: Pick<LogLineRecord, 'attempt' | 'line'>): string {
  return Buffer.from(`${line.attempt}:${line.line}`).toString('base64url');
}

function parseLogCursor(cursor: string): [number, number] {
  const parsed = cursorSchema.safeParse(Buffer.from(cursor, 'base64url').toString());
  if (parsed.success) return parsed.data;
  throw badInput(`"${cursor.slice(0, 40)}" is not a position in a log; give the cursor of an earlier answer`, 'after');
}
