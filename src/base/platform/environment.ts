import { availableParallelism } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { z } from 'zod';
import type { Arithmetic } from '../contracts/arithmetic.ts';
import { badInput } from '../contracts/errors.ts';
import { coerceError } from '../lib/coerceError.ts';
import { memoryInMb } from '../lib/memoryAmount.ts';
import { LOG_BYTES, SERIES_PER_RUN } from '../contracts/reports.ts';
import { type BucketSettings, type StorePlace, storePlace } from './artifacts/storePlace.ts';
import { address, flag, text, wholeNumber } from './environmentFields.ts';
import { ANSWER_LIMITS, type AnswerLimits } from './postgres/answerLimits.ts';
import { SECRET_VARIABLES } from './processes/handedSecrets.ts';
import { GROUP_DAYS, readSignInSettings, type SignInSettings } from './signInSettings.ts';
import { HEARTBEAT_LEASE_SECONDS, isTimingScale, REPORT_LEASE_SECONDS } from './timing.ts';

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
  /**
   * WARREN_ARTIFACTS: a folder, or `s3://bucket/prefix`; default `<home>/artifacts`. A bucket is at AWS_ENDPOINT_URL_S3 or
   * AWS_ENDPOINT_URL (default Amazon's) in AWS_REGION, with the keys that AWS's programs take.
   */
  artifacts: StorePlace;
  /** Whether WARREN_ARTIFACTS was set. */
  artifactsGiven: boolean;
  /** Where the variables say that a bucket is. */
  bucketSettings: BucketSettings;
  /** WARREN_ARTIFACT_LINKS=1: programs that download from a bucket are sent to it by a signed link. */
  artifactLinks: boolean;
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
  /**
   * WARREN_FUSED=on: `fused`, the compiled kernels round products and sums together. WARREN_OPENBLAS, `on` or a library's file:
   * `openblas`, it multiplies matrices. Default `plain`.
   */
  arithmetic: Arithmetic;
  /** WARREN_LIBTENSORFLOW: the folder of a TensorFlow with its library, for the backend `tensorflow`. Absolute. */
  libtensorflow: string | null;
  /** WARREN_SLOTS: runs that one worker executes at once; default 1. */
  slots: number;
  /** WARREN_THREADS: compute threads of a run; default the machine's cores. */
  threads: number;
  /** WARREN_ALLOW_COMMANDS=1: the worker executes commands that users queue. */
  allowCommands: boolean;
  /** WARREN_TRUST_COMMANDS=1: who may queue commands may read what the worker's own user may. */
  trustCommands: boolean;
  /** WARREN_COMMAND_USER: the Unix user as whom a worker that root starts runs commands; null: as its own. */
  commandUser: string | null;
  /** WARREN_COMMAND_FOLDER: where that user's commands run, and packages are kept; default `/var/lib/warren-commands`. */
  commandFolder: string;
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
  /** WARREN_LOG_MB: MiB that the log of one attempt takes at most, its beginning and its end; default 64. */
  logBytes: number;
  /** WARREN_HEARTBEAT_LEASE: seconds of silence after which an external run with heartbeats has crashed; default 60. */
  heartbeatLeaseSeconds: number;
  /** WARREN_REPORT_LEASE: the same for one without heartbeats; default 900. */
  reportLeaseSeconds: number;
  /** WARREN_OFFLINE=1: known datasets that are not here are never fetched, but by `warren data download`. */
  offline: boolean;
  /** WARREN_TRASH_DAYS: runs are deleted for good after so many days in the trash; null, the default, keeps them. */
  trashDays: number | null;
  /** WARREN_AUDIT_DAYS: days for which the audit log remembers; default 365. */
  auditDays: number;
  /** WARREN_CHECKPOINT_DAYS: checkpoints are removed so many days after the end of their run; null, the default, keeps them. */
  checkpointDays: number | null;
  /** WARREN_LOG_DAYS: logs, but for their last lines, are removed so many days after the end of their run; null, the default, keeps them. */
  logDays: number | null;
  /** WARREN_POINT_DAYS: curves are thinned so many days after the end of their run; null, the default, keeps them whole. */
  pointDays: number | null;
  /** WARREN_POINTS_KEPT: points of a metric that WARREN_POINT_DAYS leaves at most; default 500. */
  pointsKept: number;
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
  /** WARREN_START_SECONDS: how long a start waits for PostgreSQL and Redis that start as well; default 60, 0 for not at all. */
  startSeconds: number;
  /** WARREN_PUBLIC_URL: where people find the API, for links in messages; null, the default, is where it listens. */
  publicUrl: string | null;
  /** WARREN_SMTP_URL: the mail server for alerts, such as `smtp://user:password@host:587`; null: no e-mail is sent. */
  smtpUrl: string | null;
  /** WARREN_SMTP_FROM: the sender of e-mail; needed with WARREN_SMTP_URL. */
  smtpFrom: string | null;
  /** WARREN_ALERT_ALLOW_PRIVATE, comma-separated: inner networks that webhooks may be in, or `all`; default none. */
  allowedNetworks: string[];
  /** How people sign in; null: they do not, without WARREN_OIDC_ISSUER. */
  signIn: SignInSettings | null;
}

function gpuNumbers(given: string | null): number[] | null {
  if (given === null) return null;
  return given === 'none' ? [] : [...new Set(given.split(',').map(Number))];
}

const TENSOR_BACKENDS = ['tensorflow', 'webgpu', 'wasm', 'cpu'];

const variables = z.object({
  WARREN_HOME: text,
  WARREN_DATA: text,
  WARREN_CACHE: text,
  WARREN_ARTIFACTS: text,
  WARREN_ARTIFACT_LINKS: flag,
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
  WARREN_LIBTENSORFLOW: text,
  WARREN_BACKEND: text.refine((value) => value === null || TENSOR_BACKENDS.includes(value), {
    error: `expected one of ${TENSOR_BACKENDS.join(', ')}`,
  }),
  WARREN_FUSED: text.refine((value) => value === null || value === 'on' || value === 'off', {
    error: 'expected on, or off for the default',
  }),
  WARREN_OPENBLAS: text,
  WARREN_SLOTS: wholeNumber(1, 64, 1),
  WARREN_THREADS: wholeNumber(1, 1024, availableParallelism()),
  WARREN_ALLOW_COMMANDS: flag,
  WARREN_TRUST_COMMANDS: flag,
  WARREN_COMMAND_USER: text.refine((value) => value === null || /^[A-Za-z_][\w.-]{0,63}\$?$/.test(value), {
    error: 'expected the name of a Unix user',
  }),
  WARREN_COMMAND_FOLDER: text,
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
  WARREN_LOG_MB: wholeNumber(1, 1_000_000, LOG_BYTES / 2 ** 20),
  WARREN_HEARTBEAT_LEASE: wholeNumber(5, 2_592_000, HEARTBEAT_LEASE_SECONDS),
  WARREN_REPORT_LEASE: wholeNumber(5, 2_592_000, REPORT_LEASE_SECONDS),
  WARREN_TIMING: text.refine((value) => value === null || isTimingScale(value), {
    error: 'expected 1, or a tenth such as 0.2',
  }),
  WARREN_OFFLINE: flag,
  WARREN_TRASH_DAYS: wholeNumber(1, 36_500, null),
  WARREN_AUDIT_DAYS: wholeNumber(1, 36_500, 365),
  WARREN_CHECKPOINT_DAYS: wholeNumber(1, 36_500, null),
  WARREN_LOG_DAYS: wholeNumber(1, 36_500, null),
  WARREN_POINT_DAYS: wholeNumber(1, 36_500, null),
  WARREN_POINTS_KEPT: wholeNumber(10, 10_000, 500),
  WARREN_STATEMENT_SECONDS: wholeNumber(1, 3600, ANSWER_LIMITS.statementMs / 1000),
  WARREN_SILENCE_SECONDS: wholeNumber(2, 3600, ANSWER_LIMITS.silenceMs / 1000),
  WARREN_SLOW_SECONDS: wholeNumber(1, 3600, 2),
  WARREN_DRAIN_SECONDS: wholeNumber(0, 600, 0),
  WARREN_START_SECONDS: wholeNumber(0, 3600, 60),
  WARREN_PUBLIC_URL: address(['http', 'https'], 'https://warren.example.org'),
  WARREN_SMTP_URL: address(['smtp', 'smtps'], 'smtp://user:password@host:587'),
  WARREN_SMTP_FROM: text.refine((value) => value === null || /^[^\r\n]{0,200}@[^\r\n]{1,200}$/.test(value), {
    error: 'expected an address such as Warren <warren@example.org>',
  }),
  WARREN_ALERT_ALLOW_PRIVATE: text,
  WARREN_OIDC_ISSUER: address(['http', 'https'], 'https://login.example.org'),
  WARREN_OIDC_CLIENT_ID: text,
  WARREN_OIDC_CLIENT_SECRET: text,
  WARREN_OIDC_SCOPES: text,
  WARREN_OIDC_DOMAINS: text,
  WARREN_OIDC_GROUPS_CLAIM: text,
  WARREN_OIDC_VERIFIED_CLAIM: text,
  WARREN_OIDC_ROLES: text,
  WARREN_OIDC_DEFAULT_ROLE: text,
  WARREN_OIDC_GROUP_DAYS: wholeNumber(1, 3650, GROUP_DAYS),
  WARREN_SESSION_HOURS: wholeNumber(1, 8760, 168),
  WARREN_SESSION_IDLE_HOURS: wholeNumber(1, 8760, 12),
});

/** Where a bucket is; its keys are read by the library that talks to it. */
const bucketVariables = z.object({
  AWS_ENDPOINT_URL_S3: address(['http', 'https'], 'https://s3.example'),
  AWS_ENDPOINT_URL: address(['http', 'https'], 'https://s3.example'),
  AWS_REGION: text,
  AWS_DEFAULT_REGION: text,
});

/** The names of all variables of its own that Warren reads. */
export const WARREN_VARIABLES: readonly string[] = Object.keys(variables.shape);

function artifactsPlace(written: string, settings: BucketSettings): StorePlace {
  try {
    return storePlace(written, settings);
  } catch (thrown) {
    throw badInput(`WARREN_ARTIFACTS: ${coerceError(thrown).message}`, 'WARREN_ARTIFACTS');
  }
}

function wantedArithmetic({
  WARREN_FUSED: fused,
  WARREN_OPENBLAS: openblas,
}: Pick<z.output<typeof variables>, 'WARREN_FUSED' | 'WARREN_OPENBLAS'>): Arithmetic {
  const wantsOpenblas = openblas !== null && openblas !== 'off';
  if (fused !== 'on') return wantsOpenblas ? 'openblas' : 'plain';
  if (!wantsOpenblas) return 'fused';
  throw badInput('WARREN_OPENBLAS: expected off, or WARREN_FUSED off: a run rounds in one way', 'WARREN_OPENBLAS');
}

/**
 * Reads Warren's environment variables, once, at the start of a process.
 * @throws WarrenError BAD_INPUT that names the first variable with a wrong value and what would be right.
 */
export function readEnvironment(source: NodeJS.ProcessEnv = process.env): Environment {
  const parsed = variables.extend(bucketVariables.shape).safeParse(source);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    const name = String(issue.path[0]);
    // not repeated in an error
    const shown = SECRET_VARIABLES.has(name) ? 'the value' : JSON.stringify(source[name]);
    throw badInput(`${name}: ${issue.message}, got ${shown}`, name);
  }
  const values = parsed.data;
  const { WARREN_STATEMENT_SECONDS: statement, WARREN_SILENCE_SECONDS: silence } = values;
  if (silence <= statement) {
    const expected = `more than WARREN_STATEMENT_SECONDS, which is ${statement}`;
    throw badInput(`WARREN_SILENCE_SECONDS: expected ${expected}, got ${silence}`, 'WARREN_SILENCE_SECONDS');
  }
  if (values.WARREN_SMTP_URL !== null && values.WARREN_SMTP_FROM === null) {
    throw badInput('WARREN_SMTP_FROM: WARREN_SMTP_URL needs a sender beside it', 'WARREN_SMTP_FROM');
  }
  const bucketSettings: BucketSettings = {
    endpoint: values.AWS_ENDPOINT_URL_S3 ?? values.AWS_ENDPOINT_URL,
    region: values.AWS_REGION ?? values.AWS_DEFAULT_REGION,
  };
  const home = resolve(values.WARREN_HOME ?? '.warren');
  const dataFolders = (values.WARREN_DATA ?? '').split(delimiter).filter((folder) => folder !== '');
  return {
    home,
    dataFolders: [...new Set([...dataFolders.map((folder) => resolve(folder)), join(home, 'data')])],
    cacheFolder: resolve(values.WARREN_CACHE ?? join(home, 'cache')),
    artifacts: artifactsPlace(values.WARREN_ARTIFACTS ?? join(home, 'artifacts'), bucketSettings),
    artifactsGiven: values.WARREN_ARTIFACTS !== null,
    bucketSettings,
    artifactLinks: values.WARREN_ARTIFACT_LINKS === '1',
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
    arithmetic: wantedArithmetic(values),
    libtensorflow: values.WARREN_LIBTENSORFLOW === null ? null : resolve(values.WARREN_LIBTENSORFLOW),
    slots: values.WARREN_SLOTS,
    threads: values.WARREN_THREADS,
    allowCommands: values.WARREN_ALLOW_COMMANDS === '1',
    trustCommands: values.WARREN_TRUST_COMMANDS === '1',
    commandUser: values.WARREN_COMMAND_USER,
    commandFolder: resolve(values.WARREN_COMMAND_FOLDER ?? '/var/lib/warren-commands'),
    gpus: gpuNumbers(values.WARREN_GPUS),
    memoryMb: values.WARREN_MEMORY === null ? null : memoryInMb(values.WARREN_MEMORY),
    labels: [...new Set((values.WARREN_LABELS ?? '').split(',').flatMap((label) => label.trim() || []))],
    logLevel: values.WARREN_LOG,
    origins: (values.WARREN_ORIGINS ?? '').split(',').flatMap((origin) => origin.trim() || []),
    requireToken: values.WARREN_REQUIRE_TOKEN === '1',
    seriesPerRun: values.WARREN_MAX_SERIES,
    logBytes: values.WARREN_LOG_MB * 2 ** 20,
    heartbeatLeaseSeconds: values.WARREN_HEARTBEAT_LEASE,
    reportLeaseSeconds: values.WARREN_REPORT_LEASE,
    offline: values.WARREN_OFFLINE === '1',
    trashDays: values.WARREN_TRASH_DAYS,
    auditDays: values.WARREN_AUDIT_DAYS,
    checkpointDays: values.WARREN_CHECKPOINT_DAYS,
    logDays: values.WARREN_LOG_DAYS,
    pointDays: values.WARREN_POINT_DAYS,
    pointsKept: values.WARREN_POINTS_KEPT,
    answerLimits: { statementMs: 1000 * statement, silenceMs: 1000 * silence },
    slowSeconds: values.WARREN_SLOW_SECONDS,
    drainSeconds: values.WARREN_DRAIN_SECONDS,
    startSeconds: values.WARREN_START_SECONDS,
    publicUrl: values.WARREN_PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    smtpUrl: values.WARREN_SMTP_URL,
    smtpFrom: values.WARREN_SMTP_FROM,
    allowedNetworks: (values.WARREN_ALERT_ALLOW_PRIVATE ?? '').split(',').flatMap((one) => one.trim() || []),
    signIn: readSignInSettings({
      issuer: values.WARREN_OIDC_ISSUER,
      clientId: values.WARREN_OIDC_CLIENT_ID,
      clientSecret: values.WARREN_OIDC_CLIENT_SECRET,
      scopes: values.WARREN_OIDC_SCOPES,
      domains: values.WARREN_OIDC_DOMAINS,
      groupsClaim: values.WARREN_OIDC_GROUPS_CLAIM,
      verifiedClaim: values.WARREN_OIDC_VERIFIED_CLAIM,
      groupDays: values.WARREN_OIDC_GROUP_DAYS,
      roles: values.WARREN_OIDC_ROLES,
      defaultRole: values.WARREN_OIDC_DEFAULT_ROLE,
      publicUrl: values.WARREN_PUBLIC_URL,
      sessionHours: values.WARREN_SESSION_HOURS,
      idleHours: values.WARREN_SESSION_IDLE_HOURS,
    }),
  };
}
