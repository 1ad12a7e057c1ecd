import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { ChangeEvent } from '../contracts/changeEvents.ts';
import { WarrenError } from '../contracts/errors.ts';
import { SERIES_PER_RUN } from '../contracts/reports.ts';
import { createChangeHub } from '../graphql/changes/changeHub.ts';
import { createSnapshots } from '../graphql/changes/snapshots.ts';
import { createGraphqlContext, type GraphqlCaller, type GraphqlEnvironment } from '../graphql/context.ts';
import { buildWarrenSchema, printWarrenSchema } from '../graphql/warrenSchema.ts';
import { projectRoot } from '../lib/projectRoot.ts';
import { ANSWER_LIMITS, type AnswerLimits, forLongStatements } from '../platform/postgres/answerLimits.ts';
import { openArtifactStore } from '../platform/artifacts/artifactStore.ts';
import { listenForChanges } from '../platform/postgres/changeListener.ts';
import { closeDatabase, openDatabase } from '../platform/postgres/database.ts';
import type { Logger } from '../platform/logger.ts';
import { openRunQueue } from '../queue/runQueue.ts';
import { listTokens } from '../services/tokens/apiTokens.ts';
import type { ExternalLeases } from '../services/external/externalRuns.ts';
import type { ServiceContext } from '../services/serviceContext.ts';
import { storageReader } from '../services/artifacts/storageOverview.ts';
import { findViewKey } from '../store/database/databaseIdentity.ts';
import { createAuthenticator } from './access/authentication.ts';
import { createApp } from './createApp.ts';
import { createGraphqlHttp } from './graphql/graphqlHttp.ts';
import { createGraphqlSocket } from './graphql/graphqlSocket.ts';
import { listenOn } from './listenOn.ts';
import { createInstruments } from './observe/instruments.ts';
import { isLoopback } from './access/loopback.ts';
import { startReconcilerLoop } from './loops/reconcilerLoop.ts';
import { createRequestGuard } from './access/requestGuard.ts';
import { startStorageLoop } from './loops/storageLoop.ts';

export interface ServerOptions {
  /** A migrated database. */
  databaseUrl: string;
  redisUrl: string | null;
  queuePrefix: string;
  host: string;
  port: number;
  /** Take the next free port when this one is busy. */
  orNextPort: boolean;
  /** Further browser origins that may use the API. */
  origins: readonly string[];
  /** Metrics that one run may have; default `SERIES_PER_RUN`. */
  seriesPerRun?: number;
  /** Ask for a token on loopback too. */
  requireToken: boolean;
  /** For external runs that ask for no lease of their own; Warren's defaults when left out. */
  externalLeases?: ExternalLeases;
  /** How long answers of the database and the queue may take; default `ANSWER_LIMITS`. */
  answerLimits?: AnswerLimits;
  artifactFolder: string;
  /** Runs are deleted for good after so many days in the trash; null, the default, keeps them. */
  trashDays?: number | null;
  /** Milliseconds between two looks for artifact files that nothing refers to. */
  collectEveryMs?: number;
  /** Milliseconds for a request to arrive, but for uploads of callers who may make them; default one minute. */
  bodyMs?: number;
  /** The built dashboard. */
  dashboardFolder: string;
  clientFolder: string;
  logger: Logger;
  /** Operations and statements that take longer are written to the log; default two seconds. */
  slowMs?: number;
  /** A server that is to end still serves for so long, while `/ready` says no; default 0. */
  drainMs?: number;
}

export interface WarrenServer {
  /** `http://127.0.0.1:4680`. */
  url: string;
  port: number;
  /** Live subscriptions. */
  subscriptionCount(): number;
  /** Says on `/ready` that it ends, serves for `drainMs`, lets requests under way end, and closes every connection. */
  close(): Promise<void>;
}

/** Callers wait for one another here, and for nobody else: reconciler, `/health`, exports and clean-up have connections of their own. */
const CALLERS_CONNECTIONS = 10;
const UPKEEP_CONNECTIONS = 3;
const LONG_CONNECTIONS = 3;
/** Requests under way have this long to end. */
const DRAIN_MS = 5_000;
/** A request on a connection that was just opened has this long to arrive. */
const ARRIVAL_MS = 250;
const COLLECT_MS = 10_000;
const HEADERS_MS = 20_000;
const BODY_MS = 60_000;
/** Above the WebSockets of one process, so that requests still get through when there are as many as may be. */
const MAXIMUM_CONNECTIONS = 3_000;
/** The longest upload: six hours. */
const UPLOAD_MS = 6 * 3600 * 1000;
const SLOW_MS = 2_000;
/** Characters of a slow statement that are written to the log. */
const SHOWN_STATEMENT = 500;

/**
 * Opens database, queue, artifact store and change listener, and serves API and dashboard over them.
 * @throws WarrenError BAD_INPUT when the host is not loopback and there is no token, CONFLICT when the port is taken.
 */
export async function startServer(options: ServerOptions): Promise<WarrenServer> {
  const closers: (() => Promise<unknown> | unknown)[] = [];
  let ending = false;
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const server = await start(options, closers, () => ending);
    return {
      ...server,
      close: async () => {
        ending = true;
        await delay(options.drainMs ?? 0);
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(
  options: ServerOptions,
  closers: (() => Promise<unknown> | unknown)[],
  isEnding: () => boolean,
): Promise<Omit<WarrenServer, 'close'>> {
  const { databaseUrl, redisUrl, queuePrefix, host, logger, answerLimits: limits = ANSWER_LIMITS } = options;
  const loopback = isLoopback(host);
  const { slowMs = SLOW_MS } = options;
  const slow = {
    fromMs: slowMs,
    report: (statement: string, milliseconds: number) =>
      logger.warn(
        { statement: statement.slice(0, SHOWN_STATEMENT), milliseconds: Math.round(milliseconds) },
        'a statement took long',
      ),
  };
  const open = (poolSize: number, poolLimits = limits) => {
    const database = openDatabase(databaseUrl, { poolSize, limits: poolLimits, slow });
    closers.push(() => closeDatabase(database));
    return database;
  };
  const db = open(CALLERS_CONNECTIONS);
  if (!loopback) await refuseWithoutTokens({ db }, host);
  const queue = await openRunQueue({ databaseUrl, redisUrl, prefix: queuePrefix, silenceMs: limits.silenceMs });
  closers.push(() => queue.close());
  const { seriesPerRun = SERIES_PER_RUN } = options;
  const services: ServiceContext = { db, queue, seriesPerRun };
  const upkeep: ServiceContext = { db: open(UPKEEP_CONNECTIONS), queue };
  const longWork: ServiceContext = { db: open(LONG_CONNECTIONS, forLongStatements(limits)), queue };

  const changes = createChangeHub();
  const snapshots = createSnapshots(db);
  const handlers = {
    onChange: (event: ChangeEvent) => {
      snapshots.forget();
      changes.publish(event);
    },
    onReconnect: () => {
      snapshots.forget();
      changes.announceGap();
    },
  };
  const listener = await listenForChanges(databaseUrl, handlers, limits);
  closers.push(() => listener.close());
  const reconciler = startReconcilerLoop(upkeep, logger);
  closers.push(() => reconciler.stop());

  const store = await openArtifactStore(options.artifactFolder, (sha256) =>
    logger.error({ sha256 }, 'the content of an artifact is damaged and was set aside'),
  );
  const { trashDays = null, collectEveryMs = COLLECT_MS } = options;
  const storage = startStorageLoop({ services: longWork, store, logger, trashDays, collectEveryMs });
  closers.push(() => storage.stop());
  const viewKey = await findViewKey(db);
  const usage = storageReader(services, store);
  const version = readVersion();
  const instruments = createInstruments(version);
  const environment: GraphqlEnvironment = {
    services,
    viewKey,
    artifacts: store,
    storage: usage,
    changes,
    snapshots,
    version,
    externalLeases: options.externalLeases,
    onRetry: (error) => logger.warn({ err: error }, 'a subscription waits for the database'),
  };
  const schema = buildWarrenSchema();
  const contextFor = (caller: GraphqlCaller) => createGraphqlContext(environment, caller);
  const report = (error: Error, id: string) => logger.error({ err: error, id }, 'an operation failed');
  const authenticator = createAuthenticator({ services, tokensRequired: !loopback || options.requireToken });
  const guard = createRequestGuard({
    loopbackOnly: loopback,
    origins: options.origins,
    originsAreNames: options.requireToken,
  });
  const graphql = await createGraphqlHttp({ schema, contextFor, report, logger, instruments, slowMs });
  closers.push(() => graphql.stop());

  const { dashboardFolder, clientFolder, bodyMs = BODY_MS } = options;
  const schemaText = printWarrenSchema(schema);
  const app = createApp({
    schemaText,
    services,
    upkeep,
    longWork,
    store,
    viewKey,
    guard,
    authenticator,
    graphql: graphql.handlers,
    dashboardFolder,
    bodyMs,
    clientFolder,
    logger,
    instruments,
    storage: usage,
    subscriptionCount: () => changes.listenerCount(),
    isEnding,
  });
  // the default would cut off an upload after five minutes
  const server = createServer({ requestTimeout: UPLOAD_MS, headersTimeout: HEADERS_MS }, app);
  server.maxConnections = MAXIMUM_CONNECTIONS;
  const sockets = createGraphqlSocket({ server, schema, guard, authenticator, contextFor, report });
  const port = await listenOn(server, { host, port: options.port, orNext: options.orNextPort });
  closers.push(() => drain(server));
  closers.push(() => sockets.close());
  const shownHost = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${shownHost}:${port}`, port, subscriptionCount: () => changes.listenerCount() };
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

function readVersion(): string {
  const text = readFileSync(join(projectRoot(), 'package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

async function drain(server: Server): Promise<void> {
  // the close of HTTP would also end connections whose request is just on its way
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  await Promise.race([closed, delay(ARRIVAL_MS)]);
  server.closeIdleConnections();
  const patience = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed.finally(() => clearTimeout(patience));
}
