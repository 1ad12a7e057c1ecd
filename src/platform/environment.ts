import { availableParallelism } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { z } from 'zod';
import { badInput } from '../contracts/errors.ts';

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
  /** WARREN_TOKEN: API token of the command line and of workers. */
  token: string | null;
  /** WARREN_BACKEND: forces a tensor backend. */
  backend: string | null;
  /** WARREN_SLOTS: runs that one worker executes at once; default 1. */
  slots: number;
  /** WARREN_THREADS: compute threads of a run; default the machine's cores. */
  threads: number;
  /** WARREN_LOG: default `info`. */
  logLevel: LogVerbosity;
  /** WARREN_ORIGINS, comma-separated: further browser origins that may open a WebSocket. */
  origins: string[];
  /** WARREN_REQUIRE_TOKEN=1: the API asks for a token on loopback too. */
  requireToken: boolean;
  /** WARREN_OFFLINE=1: known datasets that are not here are never fetched, but by `warren data download`. */
  offline: boolean;
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
function wholeNumber(minimum: number, maximum: number, fallback: number) {
  return text.transform((value, context) => {
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
  WARREN_BACKEND: text.refine((value) => value === null || TENSOR_BACKENDS.includes(value), {
    error: `expected one of ${TENSOR_BACKENDS.join(', ')}`,
  }),
  WARREN_SLOTS: wholeNumber(1, 64, 1),
  WARREN_THREADS: wholeNumber(1, 1024, availableParallelism()),
  WARREN_LOG: text.pipe(
    z.union([z.null().transform((): LogVerbosity => 'info'), z.enum(LOG_LEVELS)], {
      error: `expected one of ${LOG_LEVELS.join(', ')}`,
    }),
  ),
  WARREN_ORIGINS: text,
  WARREN_REQUIRE_TOKEN: flag,
  WARREN_OFFLINE: flag,
});

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
    backend: values.WARREN_BACKEND,
    slots: values.WARREN_SLOTS,
    threads: values.WARREN_THREADS,
    logLevel: values.WARREN_LOG,
    origins: (values.WARREN_ORIGINS ?? '').split(',').flatMap((origin) => origin.trim() || []),
    requireToken: values.WARREN_REQUIRE_TOKEN === '1',
    offline: values.WARREN_OFFLINE === '1',
  };
}
