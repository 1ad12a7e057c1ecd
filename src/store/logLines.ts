import { z } from 'zod';
import { badInput } from '../contracts/errors.ts';
import type { LogLevel } from '../contracts/reports.ts';
import type { Connection } from './connection.ts';
import { databaseText, numberArrayLiteral } from './databaseText.ts';

export interface NewLogLine {
  line: number;
  level: LogLevel;
  text: string;
  /** Unix milliseconds. */
  timeMs: number;
}

export interface LogLineRecord {
  attempt: number;
  line: number;
  level: LogLevel;
  text: string;
  time: Date;
}

/** Writes lines of an attempt; a line number that is there already stays as it is. @returns How many were new. */
export async function insertLogLines(
  connection: Connection,
  owner: { runId: string; attempt: number },
  lines: readonly NewLogLine[],
): Promise<number> {
  if (lines.length === 0) return 0;
  return await connection.$executeRaw`
    INSERT INTO log_line (run_id, attempt, line, level, text, time)
    SELECT ${owner.runId}::uuid, ${owner.attempt}::int, line, level, text, to_timestamp(time / 1000.0)
    FROM unnest(${numberArrayLiteral(lines.map((item) => item.line))}::int[],
      ${lines.map((item) => item.level)}::text[], ${lines.map((item) => databaseText(item.text))}::text[],
      ${numberArrayLiteral(lines.map((item) => Math.round(item.timeMs)))}::int8[]) AS given (line, level, text, time)
    ON CONFLICT DO NOTHING`;
}

const cursorSchema = z.string().regex(/^\d{1,9}:-?\d{1,10}$/);

/** Lines of a run after a position, oldest first. */
export async function listLogLines(
  connection: Connection,
  runId: string,
  range: { after: string | null; first: number },
): Promise<LogLineRecord[]> {
  const [attempt = 0, line = -1] = range.after === null ? [0, -1] : parseLogCursor(range.after);
  return await connection.$queryRaw<LogLineRecord[]>`
    SELECT attempt, line, level, text, time FROM log_line
    WHERE run_id = ${runId}::uuid AND (attempt, line) > (${attempt}::int, ${line}::int)
    ORDER BY attempt, line LIMIT ${range.first}::int`;
}

/** The position after a line, to be given back as `after`. */
export function logCursor(line: Pick<LogLineRecord, 'attempt' | 'line'>): string {
  return Buffer.from(`${line.attempt}:${line.line}`).toString('base64url');
}

function parseLogCursor(cursor: string): number[] {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (!cursorSchema.safeParse(text).success) {
    throw badInput(`"${cursor}" is no position in a log; give the cursor of an earlier answer`, 'after');
  }
  return text.split(':').map(Number);
}
