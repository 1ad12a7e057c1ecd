import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { z } from 'zod';
import { WarrenError } from '../contracts/errors.ts';
import { createChangeHub } from '../graphql/changes/changeHub.ts';
import { type CallerRole, createGraphqlContext, type GraphqlEnvironment } from '../graphql/context.ts';
import { buildWarrenSchema } from '../graphql/warrenSchema.ts';
import { projectRoot } from '../lib/projectRoot.ts';
import { openArtifactStore } from '../platform/artifactStore.ts';
import { listenForChanges } from '../platform/changeListener.ts';
import { closeDatabase, openDatabase } from '../platform/database.ts';
import type { Logger } from '../platform/logger.ts';
import { openRunQueue } from '../queue/runQueue.ts';
import { listTokens } from '../services/issueToken.ts';
import type { ServiceContext } from '../services/serviceContext.ts';
import { createAuthenticator } from './authentication.ts';
import { createApp } from './createApp.ts';
import { createGraphqlHttp } from './graphqlHttp.ts';
import { createGraphqlSocket } from './graphqlSocket.ts';
import { listenOn } from './listenOn.ts';
import { isLoopback } from './loopback.ts';
import { startReconcilerLoop } from './reconcilerLoop.ts';
import { createRequestGuard } from './requestGuard.ts';

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
  /** Ask for a token on loopback too. */
  requireToken: boolean;
  artifactFolder: string;
  /** The built dashboard. */
  dashboardFolder: string;
  logger: Logger;
}

export interface WarrenServer {
  /** `http://127.0.0.1:4680`. */
  url: string;
  port: number;
  /** Live subscriptions. */
  subscriptionCount(): number;
  /** Lets requests under way end, closes every connection. */
  close(): Promise<void>;
}

/** Requests under way have this long to end. */
const DRAIN_MS = 5_000;
/** The longest upload: six hours. */
const UPLOAD_MS = 6 * 3600 * 1000;

/**
 * Opens database, queue, artifact store and change listener, and serves API and dashboard over them.
 * @throws WarrenError BAD_INPUT when the host is not loopback and there is no token, CONFLICT when the port is taken.
 */
export async function startServer(options: ServerOptions): Promise<WarrenServer> {
  const closers: (() => Promise<unknown> | unknown)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    return await start(options, closers, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(
  options: ServerOptions,
  closers: (() => Promise<unknown> | unknown)[],
  close: () => Promise<void>,
): Promise<WarrenServer> {
  const { databaseUrl, redisUrl, queuePrefix, host, logger } = options;
  const loopback = isLoopback(host);
  const db = openDatabase(databaseUrl);
  closers.push(() => closeDatabase(db));
  if (!loopback) await refuseWithoutTokens({ db }, host);
  const queue = await openRunQueue({ databaseUrl, redisUrl, prefix: queuePrefix });
  closers.push(() => queue.close());
  const services: ServiceContext = { db, queue };

  const changes = createChangeHub();
  const listener = await listenForChanges(databaseUrl, {
    onChange: (event) => changes.publish(event),
    onReconnect: () => changes.announceGap(),
  });
  closers.push(() => listener.close());
  const reconciler = startReconcilerLoop(services, logger);
  closers.push(() => reconciler.stop());

  const store = await openArtifactStore(options.artifactFolder);
  const environment: GraphqlEnvironment = {
    services,
    artifacts: store,
    changes,
    version: readVersion(),
    onRetry: (error) => logger.warn({ err: error }, 'a subscription waits for the database'),
  };
  const schema = buildWarrenSchema();
  const contextFor = (role: CallerRole) => createGraphqlContext(environment, role);
  const report = (error: Error, id: string) => logger.error({ err: error, id }, 'an operation failed');
  const authenticator = createAuthenticator({ services, tokensRequired: !loopback || options.requireToken });
  const guard = createRequestGuard({
    loopbackOnly: loopback,
    origins: options.origins,
    originsAreNames: options.requireToken,
  });
  const graphql = await createGraphqlHttp({ schema, contextFor, report, logger });
  closers.push(() => graphql.stop());

  const { dashboardFolder } = options;
  const app = createApp({ services, store, guard, authenticator, graphql: graphql.handlers, dashboardFolder, logger });
  // the default would cut off an upload after five minutes
  const server = createServer({ requestTimeout: UPLOAD_MS }, app);
  const sockets = createGraphqlSocket({ server, schema, guard, authenticator, contextFor, report });
  const port = await listenOn(server, { host, port: options.port, orNext: options.orNextPort });
  closers.push(() => drain(server));
  closers.push(() => sockets.close());
  const shownHost = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${shownHost}:${port}`, port, subscriptionCount: () => changes.listenerCount(), close };
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
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const patience = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed.finally(() => clearTimeout(patience));
}
