import { availableParallelism } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { z } from 'zod';
import { badInput } from '../contracts/errors.ts';
import { memoryInMb } from '../lib/memoryAmount.ts';
import { SERIES_PER_RUN } from '../contracts/reports.ts';
import { HEARTBEAT_LEASE_SECONDS, REPORT_LEASE_SECONDS } from '../contracts/timing.ts';
import { ANSWER_LIMITS, type AnswerLimits } from './postgres/answerLimits.ts';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogVerbosity = (typeof LOG_LEVELS)[number];

/** Everything that Warren reads from its environment variables, checked and with defaults filled in. */
export interface Environment {
  /** WARREN_HOME: the folder of everything Warren keeps; default `.warren` in the working folder. Absolute. */
  home: string;
  /** WARREN_DATA, `:`-separated, then `<home>/data`: searched for datasets in this order. Absolute. */
  dataFolders: string[];
  /** WARREN_CACHE: prepared datasets; default `<home>/cache`. Absolute. */
  cacheFolder: string;
  /** DATABASE_URL: a PostgreSQL to use instead of the embedded one. */
  databaseUrl: string | null;
  /** REDIS_URL: moves the queue from PostgreSQL to Redis. */
  redisUrl: string | null;
  /** WARREN_QUEUE_PREFIX: keeps several Warrens apart in one Redis; default `warren`. */
  queuePrefix: string;
  /** WARREN_HOST: address to bind; default loopback. Any other needs tokens. */
  host: string;
  /** WARREN_PORT: default 4680; 0 takes any free port. */
  port: number;
  /** Whether WARREN_PORT was set: a busy port is then an error, not a reason to take the next one. */
  portGiven: boolean;
  /** WARREN_API_URL: where the API is, for the command line and workers. Without a slash at its end. */
  apiUrl: string | null;
  /** WARREN_TOKEN: API token of the command line. */
  token: string | null;
  /** WARREN_KINDS, comma-separated: files, folders and packages that add kinds, presets and datasets. */
  kindModules: string[];
  /** WARREN_BACKEND: forces a tensor backend. */
  backend: string | null;
  /** WARREN_SLOTS: runs that one worker executes at once; default 1. */
  slots: number;
  /** WARREN_THREADS: compute threads of a run; default the machine's cores. */
  threads: number;
  /** WARREN_ALLOW_COMMANDS=1: the worker executes commands that users queue. */
  allowCommands: boolean;
  /** WARREN_GPUS: numbers of the GPUs that commands get, such as `0,1`, or `none`; null, the default, asks the driver. */
  gpus: number[] | null;
  /** WARREN_MEMORY: memory in MiB for commands, such as `64G`; null, the default, is the machine's. */
  memoryMb: number | null;
  /** WARREN_LABELS, comma-separated: what commands may ask their worker to be. */
  labels: string[];
  /** WARREN_LOG: default `info`. */
  logLevel: LogVerbosity;
  /** WARREN_ORIGINS, comma-separated: further browser origins that may open a WebSocket. */
  origins: string[];
  /** WARREN_REQUIRE_TOKEN=1: the API asks for a token on loopback too. */
  requireToken: boolean;
  /** WARREN_MAX_SERIES: metrics that one run may have; default 2,000. */
  seriesPerRun: number;
  /** WARREN_HEARTBEAT_LEASE: seconds of silence after which an external run with heartbeats has crashed; default 60. */
  heartbeatLeaseSeconds: number;
  /** WARREN_REPORT_LEASE: the same for one without heartbeats; default 900. */
  reportLeaseSeconds: number;
  /** WARREN_OFFLINE=1: known datasets that are not here are never fetched, but by `warren data download`. */
  offline: boolean;
  /** WARREN_TRASH_DAYS: runs are deleted for good after so many days in the trash; null, the default, keeps them. */
  trashDays: number | null;
  /**
   * WARREN_STATEMENT_SECONDS: longest statement in the database, but for exports and migrations; default 15.
   * WARREN_SILENCE_SECONDS: a connection to PostgreSQL or Redis that has owed an answer this long is given up; default 20,
   * more than the former. Below 12 an idle worker on Redis connects anew now and then.
   */
  answerLimits: AnswerLimits;
  /** WARREN_SLOW_SECONDS: operations and statements that take longer are written to the API's log; default 2. */
  slowSeconds: number;
  /** WARREN_DRAIN_SECONDS: an API that is to end still serves for so long, while `/ready` says no; default 0. */
  drainSeconds: number;
}

const text = z
  .string()
  .optional()
  .transform((value) => (value === undefined || value.trim() === '' ? null : value.trim()));

/** A variable that holds an address with one of these schemes. */
function address(schemes: string[], example: string) {
  return text.superRefine((value, context) => {
    if (value === null) return;
    const scheme = URL.canParse(value) ? new URL(value).protocol.slice(0, -1) : null;
    if (scheme !== null && schemes.includes(scheme)) return;
    context.addIssue({ code: 'custom', message: `expected an address such as ${example}` });
  });
}

/** A variable that holds a whole number in a range, or nothing for the default. */
function wholeNumber<Fallback extends number | null>(minimum: number, maximum: number, fallback: Fallback) {
  return text.transform((value, context): number | Fallback => {
    if (value === null) return fallback;
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= minimum && number <= maximum) return number;
    context.addIssue({ code: 'custom', message: `expected a whole number from ${minimum} to ${maximum}` });
    return z.NEVER;
  });
}

const flag = text.refine((value) => value === null || value === '0' || value === '1', {
  error: 'expected 1, or 0 for the default',
});

function gpuNumbers(given: string | null): number[] | null {
  if (given === null) return null;
  return given === 'none' ? [] : [...new Set(given.split(',').map(Number))];
}

const TENSOR_BACKENDS = ['tensorflow', 'webgpu', 'wasm', 'cpu'];

const variables = z.object({
  WARREN_HOME: text,
  WARREN_DATA: text,
  WARREN_CACHE: text,
  DATABASE_URL: address(['postgres', 'postgresql'], 'postgresql://user:password@host:5432/warren'),
  REDIS_URL: address(['redis', 'rediss'], 'redis://host:6379'),
  WARREN_QUEUE_PREFIX: text.refine((value) => value === null || /^[A-Za-z][\w-]{0,30}$/.test(value), {
    error: 'expected a letter, then at most 30 letters, digits, "-" or "_"',
  }),
  WARREN_HOST: text,
  WARREN_PORT: wholeNumber(0, 65_535, 4680),
  WARREN_API_URL: address(['http', 'https'], 'http://127.0.0.1:4680'),
  WARREN_TOKEN: text,
  WARREN_KINDS: text,
  WARREN_BACKEND: text.refine((value) => value === null || TENSOR_BACKENDS.includes(value), {
    error: `expected one of ${TENSOR_BACKENDS.join(', ')}`,
  }),
  WARREN_SLOTS: wholeNumber(1, 64, 1),
  WARREN_THREADS: wholeNumber(1, 1024, availableParallelism()),
  WARREN_ALLOW_COMMANDS: flag,
  WARREN_GPUS: text.refine((value) => value === null || value === 'none' || /^\d{1,3}(,\d{1,3})*$/.test(value), {
    error: 'expected numbers of GPUs, such as 0,1, or none',
  }),
  WARREN_MEMORY: text.refine((value) => value === null || memoryInMb(value) !== null, {
    error: 'expected an amount of memory, such as 64G',
  }),
  WARREN_LABELS: text,
  WARREN_LOG: text.pipe(
    z.union([z.null().transform((): LogVerbosity => 'info'), z.enum(LOG_LEVELS)], {
      error: `expected one of ${LOG_LEVELS.join(', ')}`,
    }),
  ),
  WARREN_ORIGINS: text,
  WARREN_REQUIRE_TOKEN: flag,
  WARREN_MAX_SERIES: wholeNumber(1, 100_000, SERIES_PER_RUN),
  WARREN_HEARTBEAT_LEASE: wholeNumber(5, 2_592_000, HEARTBEAT_LEASE_SECONDS),
  WARREN_REPORT_LEASE: wholeNumber(5, 2_592_000, REPORT_LEASE_SECONDS),
  WARREN_OFFLINE: flag,
  WARREN_TRASH_DAYS: wholeNumber(1, 36_500, null),
  WARREN_STATEMENT_SECONDS: wholeNumber(1, 3600, ANSWER_LIMITS.statementMs / 1000),
  WARREN_SILENCE_SECONDS: wholeNumber(2, 3600, ANSWER_LIMITS.silenceMs / 1000),
  WARREN_SLOW_SECONDS: wholeNumber(1, 3600, 2),
  WARREN_DRAIN_SECONDS: wholeNumber(0, 600, 0),
});

/** The names of all variables that Warren reads. */
export const WARREN_VARIABLES: readonly string[] = Object.keys(variables.shape);

/** Names that hold a password or are one: their value is not repeated in an error. */
const SECRET = new Set(['DATABASE_URL', 'REDIS_URL', 'WARREN_TOKEN']);

/**
 * Reads Warren's environment variables, once, at the start of a process.
 * @throws WarrenError BAD_INPUT that names the first variable with a wrong value and what would be right.
 */
export function readEnvironment(source: NodeJS.ProcessEnv = process.env): Environment {
  const parsed = variables.safeParse(source);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    const name = String(issue.path[0]);
    const shown = SECRET.has(name) ? 'the value' : JSON.stringify(source[name]);
    throw badInput(`${name}: ${issue.message}, got ${shown}`, name);
  }
  const values = parsed.data;
  const { WARREN_STATEMENT_SECONDS: statement, WARREN_SILENCE_SECONDS: silence } = values;
  if (silence <= statement) {
    const expected = `more than WARREN_STATEMENT_SECONDS, which is ${statement}`;
    throw badInput(`WARREN_SILENCE_SECONDS: expected ${expected}, got ${silence}`, 'WARREN_SILENCE_SECONDS');
  }
  const home = resolve(values.WARREN_HOME ?? '.warren');
  const dataFolders = (values.WARREN_DATA ?? '').split(delimiter).filter((folder) => folder !== '');
  return {
    home,
    dataFolders: [...new Set([...dataFolders.map((folder) => resolve(folder)), join(home, 'data')])],
    cacheFolder: resolve(values.WARREN_CACHE ?? join(home, 'cache')),
    databaseUrl: values.DATABASE_URL,
    redisUrl: values.REDIS_URL,
    queuePrefix: values.WARREN_QUEUE_PREFIX ?? 'warren',
    host: values.WARREN_HOST ?? '127.0.0.1',
    port: values.WARREN_PORT,
    portGiven: (source.WARREN_PORT ?? '').trim() !== '',
    apiUrl: values.WARREN_API_URL?.replace(/\/+$/, '') ?? null,
    token: values.WARREN_TOKEN,
    kindModules: (values.WARREN_KINDS ?? '').split(',').flatMap((entry) => entry.trim() || []),
    backend: values.WARREN_BACKEND,
    slots: values.WARREN_SLOTS,
    threads: values.WARREN_THREADS,
    allowCommands: values.WARREN_ALLOW_COMMANDS === '1',
    gpus: gpuNumbers(values.WARREN_GPUS),
    memoryMb: values.WARREN_MEMORY === null ? null : memoryInMb(values.WARREN_MEMORY),
    labels: [...new Set((values.WARREN_LABELS ?? '').split(',').flatMap((label) => label.trim() || []))],
    logLevel: values.WARREN_LOG,
    origins: (values.WARREN_ORIGINS ?? '').split(',').flatMap((origin) => origin.trim() || []),
    requireToken: values.WARREN_REQUIRE_TOKEN === '1',
    seriesPerRun: values.WARREN_MAX_SERIES,
    heartbeatLeaseSeconds: values.WARREN_HEARTBEAT_LEASE,
    reportLeaseSeconds: values.WARREN_REPORT_LEASE,
    offline: values.WARREN_OFFLINE === '1',
    trashDays: values.WARREN_TRASH_DAYS,
    answerLimits: { statementMs: 1000 * statement, silenceMs: 1000 * silence },
    slowSeconds: values.WARREN_SLOW_SECONDS,
    drainSeconds: values.WARREN_DRAIN_SECONDS,
  };
}
