import { z } from 'zod';
import { BYTES_BESIDE_TEXT, LOG_BYTES, type LogLevel } from '#src/base/contracts/reports.ts';
import { LAST_TIME_MS } from '#src/base/contracts/storableTime.ts';
import { formatBytes } from '#src/base/lib/formatBytes.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseText, numberArrayLiteral } from '#src/base/database/databaseText.ts';
import { int8, queryRows } from '#src/base/database/queryRows.ts';

export interface NewLogLine {
  line: number;
  level: LogLevel;
  text: string;
  /** Unix milliseconds. */
  timeMs: number;
}

interface LogOwner {
  runId: string;
  attempt: number;
}

/** Written by one statement, unless it is a single line. */
const MOST_BYTES_AT_ONCE = 2 ** 20;

const insertedRow = z.object({
  lines: z.int(),
  bytes: int8,
  /** With these lines; null where the attempt is not written down. */
  logBytes: int8.nullable(),
  logCut: z.int().nullable(),
});
const removedRow = z.object({ last: z.int() });

/**
 * Writes lines of an attempt, whose run the caller has locked; a line number that is there already stays as it is. Of a log
 * that takes more than `mostBytes` the beginning stays, three quarters, and the newest lines; what was between them is
 * removed, and a line in its place says so.
 * @returns How many were new.
 */
export async function insertLogLines(
  connection: Connection,
  owner: LogOwner,
  lines: readonly NewLogLine[],
  mostBytes: number = LOG_BYTES,
): Promise<number> {
  let inserted = 0;
  for (const some of inParts(lines)) inserted += await insertSome(connection, owner, some, mostBytes);
  return inserted;
}

function inParts(lines: readonly NewLogLine[]): NewLogLine[][] {
  const parts: NewLogLine[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    const size = Buffer.byteLength(line.text) + BYTES_BESIDE_TEXT;
    if (bytes + size > MOST_BYTES_AT_ONCE) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(line);
    bytes += size;
  }
  return parts;
}

async function insertSome(
  connection: Connection,
  owner: LogOwner,
  lines: readonly NewLogLine[],
  mostBytes: number,
): Promise<number> {
  const next = lines.reduce((highest, { line }) => Math.max(highest, line), 0) + 1;
  const [inserted] = await queryRows(connection, insertedRow)`
    WITH inserted AS (
      INSERT INTO log_line (run_id, attempt, line, level, text, time)
      SELECT ${owner.runId}::uuid, ${owner.attempt}::int, line, level, text, to_timestamp(time / 1000.0)
      FROM unnest(${numberArrayLiteral(lines.map((item) => item.line))}::int[],
        ${lines.map((item) => item.level)}::text[], ${lines.map((item) => databaseText(item.text))}::text[],
        ${numberArrayLiteral(lines.map((item) => Math.min(LAST_TIME_MS, Math.round(item.timeMs))))}::int8[]) AS given (line, level, text, time)
      ON CONFLICT DO NOTHING RETURNING octet_length(text) AS size
    ), added AS (
      SELECT count(*)::int AS lines, coalesce(sum(size + ${BYTES_BESIDE_TEXT}::int), 0)::int8 AS bytes FROM inserted
    ), counted AS (
      UPDATE attempt SET log_bytes = log_bytes + added.bytes,
        log_cut = CASE WHEN log_bytes + added.bytes > ${0.75 * mostBytes}::float8 THEN coalesce(log_cut, ${next}::int) END
      FROM added WHERE added.lines > 0 AND run_id = ${owner.runId}::uuid AND number = ${owner.attempt}::int
      RETURNING log_bytes, log_cut
    )
    SELECT lines, bytes, log_bytes AS "logBytes", log_cut AS "logCut" FROM added LEFT JOIN counted ON true`;
  const { lines: count = 0, bytes = 0, logBytes = null, logCut = null } = inserted ?? {};
  if (logBytes !== null && logCut !== null && logBytes > mostBytes) {
    // once in a while: each time reads what the end of the log may take
    const between = mostBytes / 16;
    const isDue = Math.floor(logBytes / between) > Math.floor((logBytes - bytes) / between);
    if (isDue) await cutLog(connection, owner, { from: logCut, mostBytes });
  }
  return count;
}

/** Removes what is older than the newest quarter of a log, but for its beginning. */
async function cutLog(
  connection: Connection,
  { runId, attempt }: LogOwner,
  { from, mostBytes }: { from: number; mostBytes: number },
): Promise<void> {
  const [removed] = await queryRows(connection, removedRow)`
    WITH tail AS (
      SELECT line, row_number() OVER (ORDER BY line DESC) AS place,
        sum(octet_length(text) + ${BYTES_BESIDE_TEXT}::int) OVER (ORDER BY line DESC) AS bytes
      FROM log_line WHERE run_id = ${runId}::uuid AND attempt = ${attempt}::int AND line > ${from}::int
    ), last AS (SELECT max(line) AS line FROM tail WHERE place > 1 AND bytes > ${mostBytes / 4}::float8),
    removed AS (
      DELETE FROM log_line USING last WHERE log_line.run_id = ${runId}::uuid AND log_line.attempt = ${attempt}::int
        AND log_line.line > ${from}::int AND log_line.line <= last.line
    )
    SELECT line AS last FROM last WHERE line IS NOT NULL`;
  if (removed === undefined) return;
  const count = (removed.last - from + 1).toLocaleString('en');
  const text = `… ${count} lines are left out here: a log keeps ${formatBytes(mostBytes)}, its beginning and its end (WARREN_LOG_MB)`;
  await connection.$executeRaw`
    INSERT INTO log_line (run_id, attempt, line, level, text, time)
    VALUES (${runId}::uuid, ${attempt}::int, ${from}::int, 'warn', ${text}, now())
    ON CONFLICT (run_id, attempt, line) DO UPDATE SET level = excluded.level, text = excluded.text`;
}
