import { tmpdir } from 'node:os';
import type { ChangeEvent } from '../base/contracts/changeEvents.ts';
import { WarrenError } from '../base/contracts/errors.ts';
import { LOG_BYTES, SERIES_PER_RUN } from '../base/contracts/reports.ts';
import { createScopedData } from '../graphql/scopedData.ts';
import { type ChangeHub, createChangeHub } from '../base/graphql/changeHub.ts';
import { createSnapshots, type Snapshots } from '../base/graphql/snapshots.ts';
import type { ArtifactStore } from '../base/platform/artifacts/artifactStore.ts';
import { openArtifactStore } from '../base/platform/artifacts/openArtifactStore.ts';
import { ANSWER_LIMITS, forLongStatements } from '../base/platform/postgres/answerLimits.ts';
import { listenForChanges } from '../base/platform/postgres/changeListener.ts';
import type { SlowStatements } from '../base/platform/postgres/postgresPool.ts';
import { openRunQueue } from '../base/platform/queue/runQueue.ts';
import { listTokens } from '../people/apiTokens.ts';
import type { ServiceContext } from '../base/database/serviceContext.ts';
import { isLoopback } from './access/loopback.ts';
import { startPackLoop } from './loops/packLoop.ts';
import { startReconcilerLoop } from './loops/reconcilerLoop.ts';
import { type StorageLoopOptions, startStorageLoop } from './loops/storageLoop.ts';
import { createSlowWorkLog, type SlowWorkLog } from './observe/slowWork.ts';
import { closeDatabase, type Database, openDatabase } from '../base/platform/postgres/database.ts';
import { openScopedDatabases, type ScopedDatabases } from '../base/platform/postgres/scopedDatabase.ts';
import type { Closers, ServerOptions } from './serverOptions.ts';

/** Callers wait for one another here, and for nobody else: reconciler, `/health`, exports and clean-up have connections of their own. */
const CALLERS_CONNECTIONS = 10;
const UPKEEP_CONNECTIONS = 3;
const LONG_CONNECTIONS = 3;
/** Of callers who may not see everything, together. */
const SCOPED_CONNECTIONS = 6;
const SCOPED_LONG_CONNECTIONS = 2;

/** One database over several pools of connections, so that one sort of work never waits for another. */
interface ServerDatabases {
  callers: Database;
  /** Of what the process does on its own. */
  upkeep: Database;
  /** Of statements that may take long. */
  longWork: Database;
  /** Of callers who may not see everything. */
  scoped: ScopedDatabases;
  /** Of their statements that may take long. */
  scopedLongWork: ScopedDatabases;
}

/** Opens the pools; `closers` close them. */
function openServerDatabases(options: ServerOptions, slow: SlowStatements, closers: Closers): ServerDatabases {
  const { databaseUrl, answerLimits: limits = ANSWER_LIMITS } = options;
  const open = (poolSize: number, poolLimits = limits): Database => {
    const database = openDatabase(databaseUrl, { poolSize, limits: poolLimits, slow });
    closers.push(() => closeDatabase(database));
    return database;
  };
  const openScoped = (poolSize: number, poolLimits = limits): ScopedDatabases => {
    const databases = openScopedDatabases(databaseUrl, { poolSize, limits: poolLimits, slow });
    closers.push(() => databases.close());
    return databases;
  };
  return {
    callers: open(CALLERS_CONNECTIONS),
    upkeep: open(UPKEEP_CONNECTIONS),
    longWork: open(LONG_CONNECTIONS, forLongStatements(limits)),
    scoped: openScoped(SCOPED_CONNECTIONS),
    scopedLongWork: openScoped(SCOPED_LONG_CONNECTIONS, forLongStatements(limits)),
  };
}

const COLLECT_MS = 10_000;
const SLOW_MS = 2_000;
const AUDIT_DAYS = 365;
/** Points of a metric that a rule leaves at most. */
const POINTS_KEPT = 500;
/** Characters of a slow statement that are written to the log. */
const SHOWN_STATEMENT = 500;

/** What the API answers from. */
export interface ApiParts {
  databases: ServerDatabases;
  /** For callers who see everything. */
  services: ServiceContext;
  /** With connections that callers' queries cannot take. */
  upkeep: ServiceContext;
  /** For what may take long. */
  longWork: ServiceContext;
  /** For callers who may not see everything. */
  scoped: ReturnType<typeof createScopedData>;
  changes: ChangeHub;
  snapshots: Snapshots;
  store: ArtifactStore;
  /** Where uploads in parts wait for their rest. */
  uploadFolder: string;
  /** From how many milliseconds on an operation or a statement is slow, and those that were. */
  slowMs: number;
  slowWork: SlowWorkLog;
}

/**
 * Opens database, queue, artifact store and change listener, and starts what keeps them up; `closers` end it all.
 * @throws WarrenError BAD_INPUT when the host is not loopback and there is no token.
 */
export async function openApiParts(options: ServerOptions, closers: Closers): Promise<ApiParts> {
  const { databaseUrl, redisUrl, queuePrefix, host, logger, answerLimits: limits = ANSWER_LIMITS } = options;
  const { slowMs = SLOW_MS, seriesPerRun = SERIES_PER_RUN, logBytes = LOG_BYTES } = options;
  const slowWork = createSlowWorkLog();
  const databases = openServerDatabases(options, slowStatements(slowMs, slowWork, options), closers);
  const db = databases.callers;
  if (!isLoopback(host) && (options.signIn ?? null) === null) await refuseWithoutTokens({ db }, host);
  const queue = await openRunQueue({ databaseUrl, redisUrl, prefix: queuePrefix, silenceMs: limits.silenceMs });
  closers.push(() => queue.close());
  const services: ServiceContext = { db, queue, seriesPerRun, logBytes };
  const upkeep: ServiceContext = { db: databases.upkeep, queue };
  const longWork: ServiceContext = { db: databases.longWork, queue };

  const scoped = createScopedData(services, databases.scoped);
  const changes = createChangeHub();
  const snapshots = createSnapshots(db);
  const forget = () => {
    snapshots.forget();
    scoped.forget();
  };
  const listener = await listenForChanges(databaseUrl, announcing(changes, forget), limits);
  closers.push(() => listener.close());
  const reconciler = startReconcilerLoop(upkeep, logger);
  closers.push(() => reconciler.stop());
  const packing = startPackLoop(upkeep, logger);
  closers.push(() => packing.stop());

  const store = await openArtifactStore(options.artifacts, (sha256) =>
    logger.error({ sha256 }, 'the content of an artifact is damaged and was set aside'),
  );
  const uploadFolder = options.uploadFolder ?? (typeof options.artifacts === 'string' ? options.artifacts : tmpdir());
  const storage = startStorageUpkeep(options, { services: longWork, store, uploadFolder });
  closers.push(() => storage.stop());
  return { databases, services, upkeep, longWork, scoped, changes, snapshots, store, uploadFolder, slowMs, slowWork };
}

/** Writes slow statements to the log, and remembers them. */
function slowStatements(fromMs: number, slowWork: SlowWorkLog, { logger }: ServerOptions): SlowStatements {
  return {
    fromMs,
    report(statement, milliseconds) {
      const shown = statement.slice(0, SHOWN_STATEMENT);
      slowWork.note('statement', shown, milliseconds);
      logger.warn({ statement: shown, milliseconds: Math.round(milliseconds) }, 'a statement took long');
    },
  };
}

/** Tells subscribers of what the database says, once what was read before is forgotten. */
function announcing(changes: ChangeHub, forget: () => void) {
  return {
    onChange(event: ChangeEvent) {
      forget();
      changes.publish(event);
    },
    onReconnect() {
      forget();
      changes.announceGap();
    },
  };
}

/** Frees disk by the rules of the options. */
function startStorageUpkeep(
  options: ServerOptions,
  over: Pick<StorageLoopOptions, 'services' | 'store' | 'uploadFolder'>,
) {
  const { logger, trashDays = null, checkpointDays = null, auditDays = AUDIT_DAYS } = options;
  const { logDays = null, pointDays = null, pointsKept = POINTS_KEPT, collectEveryMs = COLLECT_MS } = options;
  const rules = { trashDays, checkpointDays, auditDays, logDays, pointDays, pointsKept };
  return startStorageLoop({ ...over, ...rules, logger, collectEveryMs });
}

async function refuseWithoutTokens(services: Pick<ServiceContext, 'db'>, host: string): Promise<void> {
  const now = Date.now();
  const tokens = await listTokens(services);
  const holds = tokens.some(
    ({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt === null || expiresAt.getTime() > now),
  );
  if (holds) return;
  const advice = 'make one with `warren token create NAME --role admin`, or bind 127.0.0.1';
  throw new WarrenError(
    'BAD_INPUT',
    `${host} can be reached from other machines, and there is no token yet: ${advice}`,
    {
      path: 'WARREN_HOST',
    },
  );
}
