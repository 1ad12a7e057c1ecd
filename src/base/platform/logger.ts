import { pino } from 'pino';
import { z } from 'zod';
import { printableLines } from '../lib/printable.ts';
import type { LogVerbosity } from './environment.ts';

export type Logger = pino.Logger;

/** Members that never reach a log, at the top or one level down. */
const SECRETS = ['token', 'password', 'authorization', 'databaseUrl', 'redisUrl'];

/**
 * A logger that writes to stderr: one readable line a message on a terminal, JSON otherwise.
 * @param name the process: `api`, `worker`, `up`.
 */
export function createLogger(name: string, level: LogVerbosity): Logger {
  const options = {
    name,
    level,
    redact: { paths: SECRETS.flatMap((key) => [key, `*.${key}`]), censor: '…' },
  };
  if (!process.stderr.isTTY) return pino(options, pino.destination({ fd: 2, sync: true }));
  return pino(options, {
    write: (line: string) => void process.stderr.write(`${printableLines(formatLine(line), { colours: false })}\n`),
  });
}

const errorSchema = z.object({ message: z.string(), stack: z.string().optional() });

const recordSchema = z
  .object({
    level: z.number(),
    time: z.number(),
    name: z.string(),
    msg: z.string().default(''),
    err: errorSchema.optional().catch(undefined),
  })
  .catchall(z.unknown());

const HIDDEN = new Set(['level', 'time', 'name', 'msg', 'pid', 'hostname', 'err']);

/** One of pino's JSON lines as a person reads it: `10:20:30 WARN  worker: message key=value`. */
export function formatLine(json: string): string {
  const record = recordSchema.parse(JSON.parse(json));
  const time = new Date(record.time).toTimeString().slice(0, 8);
  const level = (pino.levels.labels[record.level] ?? String(record.level)).toUpperCase().padEnd(5);
  const details = Object.entries(record).flatMap(([key, value]) =>
    HIDDEN.has(key) ? [] : [` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`],
  );
  const { err } = record;
  const cause = err === undefined ? '' : `: ${record.level >= 50 ? (err.stack ?? err.message) : err.message}`;
  return `${time} ${level} ${record.name}: ${record.msg}${details.join('')}${cause}`;
}
