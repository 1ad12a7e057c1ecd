import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChangeEvent } from '../contracts/changeEvents.ts';
import { WarrenError } from '../contracts/errors.ts';
import { LOG_BYTES, SERIES_PER_RUN } from '../contracts/reports.ts';
import { createScopedData } from '../graphql/access/scopedData.ts';
import { createChangeHub } from '../graphql/changes/changeHub.ts';
import { createSnapshots } from '../graphql/changes/snapshots.ts';
import { createGraphqlContext, type GraphqlCaller, type GraphqlEnvironment } from '../graphql/context.ts';
import { buildWarrenSchema, printWarrenSchema } from '../graphql/warrenSchema.ts';
import { ANSWER_LIMITS, forLongStatements } from '../platform/postgres/answerLimits.ts';
import { partialUploads } from '../platform/artifacts/partialUploads.ts';
import { openArtifactStore } from '../platform/artifacts/openArtifactStore.ts';
import { listenForChanges } from '../platform/postgres/changeListener.ts';
import { closeDatabase, openDatabase } from '../platform/postgres/database.ts';
import { openScopedDatabases } from '../platform/postgres/scopedDatabase.ts';
import { readVersion } from '../platform/readVersion.ts';
import { isTracing } from '../platform/tracing/tracing.ts';
import { createAddressGuard } from '../platform/outgoing/addressGuard.ts';
import { openRunQueue } from '../queue/runQueue.ts';
import { listTokens } from '../services/tokens/apiTokens.ts';
import type { ServiceContext } from '../services/serviceContext.ts';
import { overviewReader } from '../services/administration/serverOverview.ts';
import { storageReader } from '../services/artifacts/storageOverview.ts';
import { findViewKey } from '../store/database/databaseIdentity.ts';
import { createAuthenticator } from './access/authentication.ts';
import { callerServices } from './access/callerServices.ts';
import { createApp } from './createApp.ts';
import { drainServer } from './drainServer.ts';
import { createGraphqlHttp } from './graphql/graphqlHttp.ts';
import { createDirectLane } from './graphql/directLane.ts';
import { createGraphqlSocket } from './graphql/graphqlSocket.ts';
import { createLoggingLane } from './graphql/loggingLane.ts';
import { listenOn } from './listenOn.ts';
import { createInstruments } from './observe/instruments.ts';
import { createSlowWorkLog } from './observe/slowWork.ts';
import { traceFields } from './observe/traceRequests.ts';
import { isLoopback } from './access/loopback.ts';
import { startAlertLoop } from './loops/alertLoop.ts';
import { startPackLoop } from './loops/packLoop.ts';
import { startReconcilerLoop } from './loops/reconcilerLoop.ts';
import { createRequestGuard } from './access/requestGuard.ts';
import { startStorageLoop } from './loops/storageLoop.ts';
import type { OutgoingOptions, ServerOptions, WarrenServer } from './serverOptions.ts';
import { openidProvider } from './signIn/openidProvider.ts';
import { createSessionGate } from './signIn/sessionGate.ts';

/** Callers wait for one another here, and for nobody else: reconciler, `/health`, exports and clean-up have connections of their own. */
const CALLERS_CONNECTIONS = 10;
const UPKEEP_CONNECTIONS = 3;
const LONG_CONNECTIONS = 3;
/** Of callers who may not see everything, together. */
const SCOPED_CONNECTIONS = 6;
const SCOPED_LONG_CONNECTIONS = 2;
const COLLECT_MS = 10_000;
const HEADERS_MS = 20_000;
const BODY_MS = 60_000;
/** Above the WebSockets of one process, so that requests still get through when there are as many as may be. */
const MAXIMUM_CONNECTIONS = 3_000;
/** The longest upload: six hours. */
const UPLOAD_MS = 6 * 3600 * 1000;
const SLOW_MS = 2_000;
const NO_OUTLETS: OutgoingOptions = { allowedNetworks: [], mail: null, publicUrl: null };
const AUDIT_DAYS = 365;
/** Points of a metric that a rule leaves at most. */
const POINTS_KEPT = 500;
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
  const { slowMs = SLOW_MS, outgoing: { allowedNetworks, mail, publicUrl } = NO_OUTLETS } = options;
  const outgoingGuard = createAddressGuard(allowedNetworks);
  const slowWork = createSlowWorkLog();
  const slow = {
    fromMs: slowMs,
    report(statement: string, milliseconds: number) {
      const shown = statement.slice(0, SHOWN_STATEMENT);
      slowWork.note('statement', shown, milliseconds);
      logger.warn({ statement: shown, milliseconds: Math.round(milliseconds) }, 'a statement took long');
    },
  };
  const open = (poolSize: number, poolLimits = limits) => {
    const database = openDatabase(databaseUrl, { poolSize, limits: poolLimits, slow });
    closers.push(() => closeDatabase(database));
    return database;
  };
  const db = open(CALLERS_CONNECTIONS);
  const settings = options.signIn ?? null;
  if (!loopback && settings === null) await refuseWithoutTokens({ db }, host);
  const queue = await openRunQueue({ databaseUrl, redisUrl, prefix: queuePrefix, silenceMs: limits.silenceMs });
  closers.push(() => queue.close());
  const { seriesPerRun = SERIES_PER_RUN, logBytes = LOG_BYTES } = options;
  const services: ServiceContext = { db, queue, seriesPerRun, logBytes };
  const upkeep: ServiceContext = { db: open(UPKEEP_CONNECTIONS), queue };
  const longWork: ServiceContext = { db: open(LONG_CONNECTIONS, forLongStatements(limits)), queue };

  const openScoped = (poolSize: number, poolLimits = limits) => {
    const databases = openScopedDatabases(databaseUrl, { poolSize, limits: poolLimits, slow });
    closers.push(() => databases.close());
    return databases;
  };
  const scopedDatabases = openScoped(SCOPED_CONNECTIONS);
  const scopedLongWork = openScoped(SCOPED_LONG_CONNECTIONS, forLongStatements(limits));
  const scoped = createScopedData(services, scopedDatabases);

  const changes = createChangeHub();
  const snapshots = createSnapshots(db);
  const handlers = {
    onChange: (event: ChangeEvent) => {
      snapshots.forget();
      scoped.forget();
      changes.publish(event);
    },
    onReconnect: () => {
      snapshots.forget();
      scoped.forget();
      changes.announceGap();
    },
  };
  const listener = await listenForChanges(databaseUrl, handlers, limits);
  closers.push(() => listener.close());
  const reconciler = startReconcilerLoop(upkeep, logger);
  closers.push(() => reconciler.stop());

  const packing = startPackLoop(upkeep, logger);
  closers.push(() => packing.stop());

  const store = await openArtifactStore(options.artifacts, (sha256) =>
    logger.error({ sha256 }, 'the content of an artifact is damaged and was set aside'),
  );
  const { trashDays = null, checkpointDays = null, collectEveryMs = COLLECT_MS, auditDays = AUDIT_DAYS } = options;
  const { logDays = null, pointDays = null, pointsKept = POINTS_KEPT } = options;
  const uploadFolder = options.uploadFolder ?? (typeof options.artifacts === 'string' ? options.artifacts : tmpdir());
  const rules = { trashDays, checkpointDays, auditDays, logDays, pointDays, pointsKept };
  const storage = startStorageLoop({ services: longWork, store, logger, ...rules, uploadFolder, collectEveryMs });
  closers.push(() => storage.stop());
  const viewKey = await findViewKey(db);
  const usage = storageReader(services, store);
  const version = readVersion();
  const instruments = createInstruments(version);
  const environment: GraphqlEnvironment = {
    services,
    scoped: scoped.of,
    viewKey,
    artifacts: store,
    storage: usage,
    changes,
    snapshots,
    version,
    sendsMail: mail !== null,
    outgoingGuard,
    overview: overviewReader(services),
    slowWork: () => slowWork.list(),
    externalLeases: options.externalLeases,
    onAuditFailure: (error, action) => logger.error({ err: error, action }, 'the audit log could not be written'),
    onRetry: (error) => logger.warn({ err: error }, 'a subscription waits for the database'),
  };
  const schema = buildWarrenSchema();
  if (isTracing()) traceFields(schema);
  const contextFor = (caller: GraphqlCaller) => createGraphqlContext(environment, caller);
  const report = (error: Error, id: string) => logger.error({ err: error, id }, 'an operation failed');
  const tokensRequired = !loopback || options.requireToken || settings !== null;
  const authenticator = createAuthenticator({
    services,
    tokensRequired,
    signIn: settings !== null,
  });
  const gate = settings === null ? null : createSessionGate(services, settings);
  const guard = createRequestGuard({
    loopbackOnly: loopback,
    origins: settings === null ? options.origins : [...options.origins, settings.publicOrigin],
    originsAreNames: options.requireToken || settings !== null,
  });
  const servicesOf = callerServices(services, scopedDatabases);
  const lane = createLoggingLane(servicesOf, instruments);
  const watched = { report, logger, instruments, slowMs, slowWork };
  const graphql = await createGraphqlHttp({ schema, lane, contextFor, ...watched });
  closers.push(() => graphql.stop());

  const { dashboardFolder, clientFolder, bodyMs = BODY_MS } = options;
  const schemaText = printWarrenSchema(schema);
  const app = createApp({
    schemaText,
    services,
    outgoingGuard,
    publicUrl,
    servicesOf,
    upkeep,
    longWorkOf: callerServices(longWork, scopedLongWork),
    store,
    artifactLinks: options.artifactLinks === true,
    uploads: partialUploads(uploadFolder),
    viewKey,
    guard,
    authenticator,
    signIn:
      settings === null || gate === null
        ? null
        : { services, settings, provider: openidProvider(settings), gate, key: viewKey, logger },
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
  const serve = createDirectLane({ lane, guard, authenticator, signsIn: gate !== null, isEnding }, app);
  const server = createServer({ requestTimeout: UPLOAD_MS, headersTimeout: HEADERS_MS }, (request, response) => {
    instruments.request(request, response);
    serve(request, response);
  });
  server.maxConnections = MAXIMUM_CONNECTIONS;
  const sockets = createGraphqlSocket({ server, schema, guard, authenticator, gate, contextFor, report });
  const port = await listenOn(server, { host, port: options.port, orNext: options.orNextPort });
  closers.push(() => drainServer(server));
  closers.push(() => sockets.close());
  const shownHost = host.includes(':') ? `[${host}]` : host;
  const url = `http://${shownHost}:${port}`;
  const alerts = startAlertLoop({
    services: upkeep,
    outlets: { guard: outgoingGuard, mail, publicUrl: publicUrl ?? url },
    logger,
  });
  closers.push(() => alerts.stop());
  return { url, port, subscriptionCount: () => changes.listenerCount() };
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
