import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createGraphqlContext, type GraphqlCaller, type GraphqlEnvironment } from '../base/graphql/context.ts';
import { buildWarrenSchema, printWarrenSchema } from '../graphql/warrenSchema.ts';
import { partialUploads } from '../base/platform/artifacts/partialUploads.ts';
import { readVersion } from '../base/platform/readVersion.ts';
import { isTracing } from '../base/platform/tracing/tracing.ts';
import { createAddressGuard } from '../base/platform/outgoing/addressGuard.ts';
import { overviewReader } from '../administration/serverOverview.ts';
import { storageReader } from '../artifacts/storageOverview.ts';
import { findEpoch, findViewKey } from '../base/database/databaseIdentity.ts';
import { clientHeaders } from './graphql/clientHeaders.ts';
import { createCallerChecks } from './access/callerChecks.ts';
import { callerServices } from './access/callerServices.ts';
import { createApp } from './createApp.ts';
import { drainServer } from './drainServer.ts';
import { createGraphqlHttp } from './graphql/graphqlHttp.ts';
import { createDirectLane } from './graphql/directLane.ts';
import { createGraphqlSocket } from './graphql/graphqlSocket.ts';
import { createLoggingLane } from './graphql/loggingLane.ts';
import { listenOn } from './listenOn.ts';
import { createInstruments } from './observe/instruments.ts';
import { traceFields } from './observe/traceRequests.ts';
import { startAlertLoop } from './loops/alertLoop.ts';
import { type ApiParts, openApiParts } from './apiParts.ts';
import type { Closers, OutgoingOptions, ServerOptions, WarrenServer } from './serverOptions.ts';
import { openidProvider } from './signIn/openidProvider.ts';

const HEADERS_MS = 20_000;
const BODY_MS = 60_000;
/**
 * Longer than clients and proxies keep an idle connection (nginx: 60 s): whoever closes first must be the one who sends, or a
 * request meets a connection that is just being closed.
 */
const IDLE_MS = 75_000;
/** Above the WebSockets of one process, so that requests still get through when there are as many as may be. */
const MAXIMUM_CONNECTIONS = 3_000;
/** The longest upload: six hours. */
const UPLOAD_MS = 6 * 3600 * 1000;
const NO_OUTLETS: OutgoingOptions = { allowedNetworks: [], mail: null, publicUrl: null };

/**
 * Opens database, queue, artifact store and change listener, and serves API and dashboard over them.
 * @throws WarrenError BAD_INPUT when the host is not loopback and there is no token, CONFLICT when the port is taken.
 */
export async function startServer(options: ServerOptions): Promise<WarrenServer> {
  const closers: Closers = [];
  let ending = false;
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const server = await serveApi(await openApiParts(options, closers), options, {
      closers,
      isEnding: () => ending,
    });
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

interface ServerLife {
  closers: Closers;
  /** Whether the server has been asked to end. */
  isEnding(): boolean;
}

/** Serves API and dashboard from its parts. */
async function serveApi(
  parts: ApiParts,
  options: ServerOptions,
  { closers, isEnding }: ServerLife,
): Promise<Omit<WarrenServer, 'close'>> {
  const { services, upkeep, longWork, databases, changes, store, slowMs, slowWork } = parts;
  const { host, logger, outgoing: { allowedNetworks, mail, publicUrl } = NO_OUTLETS } = options;
  const settings = options.signIn ?? null;
  const outgoingGuard = createAddressGuard(allowedNetworks);
  const viewKey = await findViewKey(databases.callers);
  const told = clientHeaders({ logBytes: services.logBytes, epoch: await findEpoch(databases.callers) });
  const storage = storageReader(services, store);
  const version = readVersion();
  const instruments = createInstruments(version);
  const environment: GraphqlEnvironment = {
    ...graphqlEnvironment(parts, options),
    ...{ viewKey, storage, version, sendsMail: mail !== null, outgoingGuard },
  };
  const schema = buildWarrenSchema();
  if (isTracing()) traceFields(schema);
  const contextFor = (caller: GraphqlCaller) => createGraphqlContext(environment, caller);
  const report = (error: Error, id: string) => logger.error({ err: error, id }, 'an operation failed');
  const { guard, authenticator, gate } = createCallerChecks(services, options);
  const servicesOf = callerServices(services, databases.scoped);
  const lane = createLoggingLane(servicesOf, instruments);
  const watched = { report, logger, instruments, slowMs, slowWork };
  const graphql = await createGraphqlHttp({ schema, lane, contextFor, ...watched });
  closers.push(() => graphql.stop());

  const { dashboardFolder, clientFolder, bodyMs = BODY_MS } = options;
  const app = createApp({
    ...{ services, servicesOf, upkeep, store, viewKey, guard, authenticator, logger, instruments, storage, isEnding },
    ...{ told, outgoingGuard, publicUrl, dashboardFolder, clientFolder, bodyMs },
    schemaText: printWarrenSchema(schema),
    longWorkOf: callerServices(longWork, databases.scopedLongWork),
    artifactLinks: options.artifactLinks === true,
    uploads: partialUploads(parts.uploadFolder),
    signIn:
      settings === null || gate === null
        ? null
        : { services, settings, provider: openidProvider(settings), gate, key: viewKey, logger },
    graphql: graphql.handlers,
    subscriptionCount: () => changes.listenerCount(),
  });
  // the default would cut off an upload after five minutes
  const serve = createDirectLane({ lane, guard, authenticator, told, signsIn: gate !== null, isEnding }, app);
  const server = createServer({ requestTimeout: UPLOAD_MS, headersTimeout: HEADERS_MS }, (request, response) => {
    instruments.request(request, response);
    serve(request, response);
  });
  server.maxConnections = MAXIMUM_CONNECTIONS;
  server.keepAliveTimeout = IDLE_MS;
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

/** Which parts every operation works with. */
function graphqlEnvironment(parts: ApiParts, { logger, externalLeases }: ServerOptions) {
  const { services, scoped, store, changes, snapshots, slowWork } = parts;
  return {
    services,
    scoped: scoped.of,
    artifacts: store,
    changes,
    snapshots,
    overview: overviewReader(services),
    slowWork: () => slowWork.list(),
    externalLeases,
    onAuditFailure: (error: unknown, action: string) =>
      logger.error({ err: error, action }, 'the audit log could not be written'),
    onRetry: (error: unknown) => logger.warn({ err: error }, 'a subscription waits for the database'),
  };
}
