import express, { type Express, type RequestHandler } from 'express';
import { WarrenError } from '../base/contracts/errors.ts';
import { mayDo, requireEverything } from '../base/graphql/context.ts';
import type { ArtifactStore } from '../base/platform/artifacts/artifactStore.ts';
import type { PartialUploads } from '../base/platform/artifacts/partialUploads.ts';
import type { Logger } from '../base/platform/logger.ts';
import type { StorageOverview } from '../artifacts/storageOverview.ts';
import type { ServiceContext } from '../base/database/serviceContext.ts';
import { artifactRoutes } from './routes/artifactRoutes.ts';
import { type Authenticator, bearerToken } from './access/authentication.ts';
import type { SessionGate } from './signIn/sessionGate.ts';
import { type SignInOptions, signInRoutes } from './signIn/signInRoutes.ts';
import { auditRequests } from './access/auditRequest.ts';
import { callerOf, type ServicesOf } from './access/callerServices.ts';
import { clientFiles } from './routes/clientFiles.ts';
import { codeRoute } from './routes/codeRoute.ts';
import { chartFrames } from './routes/chartFrames.ts';
import { dashboard } from './routes/dashboard.ts';
import { errorHandler } from './routes/errorHandler.ts';
import { exportRoute } from './routes/exportRoute.ts';
import type { PartState } from '../base/contracts/health.ts';
import { requireRoom } from '../base/platform/postgres/requireRoom.ts';
import { pingDatabase } from '../base/database/connection.ts';
import { mediaRoute } from './routes/mediaRoute.ts';
import type { Instruments } from './observe/instruments.ts';
import { metricsRoute } from './observe/metricsRoute.ts';
import { traceOperations, traceRequests } from './observe/traceRequests.ts';
import { requestId } from './observe/requestId.ts';
import type { AddressGuard } from '../base/platform/outgoing/addressGuard.ts';
import { mlflowRoutes } from './routes/mlflowRoutes.ts';
import { makerOf } from './access/userName.ts';
import { orRunProgram, orRunToken } from './access/runTokenGuard.ts';
import type { RequestGuard } from './access/requestGuard.ts';
import { securityHeaders } from './access/securityHeaders.ts';
import { refuseSlowBodies } from './routes/slowBodies.ts';

const TIMEOUT_MS = 3_000;
/** Opening a connection on a busy machine takes its time. */
const WRITE_TIMEOUT_MS = 10_000;
/** Between two tries to write, and after one that failed. */
const WRITE_EVERY_MS = 10_000;
const WRITE_AGAIN_MS = 2_000;

/** What `/health` and `/ready` answer: with status 200 when everything works, 503 when not. */
interface Health {
  /** `ending`, of `/ready` alone: the server still serves, and is about to end. */
  status: 'ok' | 'degraded' | 'ending';
  database: PartState;
  queue: PartState;
}

async function works(check: () => Promise<unknown>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, false);
  });
  const answer = check().then(
    () => true as const,
    () => false as const,
  );
  return await Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** Tries now and then whether a part takes writes; what the last try has found holds until the next has ended, however long that takes. */
function writeTry(write: () => Promise<unknown>, onChange: (works: boolean) => void): () => Promise<boolean> {
  let last = true;
  let current: Promise<boolean> | null = null;
  let nextMs = 0;
  return async () => {
    if (performance.now() >= nextMs) {
      current ??= works(write, WRITE_TIMEOUT_MS).then((found) => {
        if (found !== last) onChange(found);
        last = found;
        current = null;
        nextMs = performance.now() + (found ? WRITE_EVERY_MS : WRITE_AGAIN_MS);
        return found;
      });
    }
    if (current === null) return last;
    let timer: NodeJS.Timeout | undefined;
    const soon = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(last), TIMEOUT_MS);
    });
    return await Promise.race([current, soon]).finally(() => clearTimeout(timer));
  };
}

/**
 * Asks the database and the queue, and has each write something that it takes away again; needs no token, and tells nothing but whether
 * they answer and take writes. Requests that come while they are asked share the answer, so that however many cost one query.
 * `/ready` is for a balancer: it says no from the moment at which the server has been asked to end, and yes where a disk is full, since
 * pages can still be read.
 */
function healthRoutes(
  { db, queue }: ServiceContext,
  { isEnding, logger }: { isEnding(): boolean; logger: Pick<Logger, 'error' | 'info'> },
): { health: RequestHandler; ready: RequestHandler } {
  const told =
    (part: string) =>
    (found: boolean): void =>
      found ? logger.info(`the ${part} takes writes again`) : logger.error(`the ${part} takes no writes`);
  const databaseWrites = writeTry(() => requireRoom(db), told('database'));
  const queueWrites = writeTry(() => queue.tryWrite(), told('queue'));
  const part = async (ping: () => Promise<unknown>, writes: () => Promise<boolean>): Promise<PartState> => {
    if (!(await works(ping, TIMEOUT_MS))) return 'away';
    return (await writes()) ? 'ok' : 'no writes';
  };
  const look = async (tries: { database(): Promise<boolean>; queue(): Promise<boolean> }): Promise<Health> => {
    const [database, queueState] = await Promise.all([
      part(() => pingDatabase(db), tries.database),
      part(() => queue.counts(), tries.queue),
    ]);
    return { status: database === 'ok' && queueState === 'ok' ? 'ok' : 'degraded', database, queue: queueState };
  };
  const answering = (
    tries: Parameters<typeof look>[0],
    shown: (found: Health) => Health = (found) => found,
  ): RequestHandler => {
    let current: Promise<Health> | null = null;
    return async (_request, response) => {
      current ??= look(tries).finally(() => {
        current = null;
      });
      const answer = shown(await current);
      response
        .status(answer.status === 'ok' ? 200 : 503)
        .set('Cache-Control', 'no-store')
        .json(answer);
    };
  };
  const untried = async () => true;
  return {
    health: answering({ database: databaseWrites, queue: queueWrites }),
    ready: answering({ database: untried, queue: untried }, (found) =>
      isEnding() ? { ...found, status: 'ending' } : found,
    ),
  };
}

export interface AppOptions {
  services: ServiceContext;
  /** Says where messages may go. */
  outgoingGuard: AddressGuard;
  /** Where people find the API; null where it listens. */
  publicUrl: string | null;
  /** For the callers of requests. */
  servicesOf: ServicesOf;
  /** With connections that callers' queries cannot take. */
  upkeep: ServiceContext;
  /** For reading that may take long. */
  longWorkOf: ServicesOf;
  store: ArtifactStore;
  /** Whether programs download from a bucket by signed links. */
  artifactLinks: boolean;
  /** Keeps what has come of uploads that are sent in parts. */
  uploads: PartialUploads;
  /** Signs the addresses below `/media`. */
  viewKey: string;
  guard: RequestGuard;
  authenticator: Authenticator;
  /** How people sign in; null where they do not. */
  signIn: SignInOptions | null;
  /** Headers of every answer to a program. */
  told: Readonly<Record<string, string>>;
  /** Handlers of `/graphql`. */
  graphql: RequestHandler[];
  /** The text at `/schema.graphql`. */
  schemaText: string;
  dashboardFolder: string;
  /** A request must have arrived by then, but for uploads of callers who may make them. */
  bodyMs: number;
  /** Where the clients are that programs fetch. */
  clientFolder: string;
  logger: Logger;
  instruments: Instruments;
  storage(): Promise<StorageOverview>;
  subscriptionCount(): number;
  /** Whether the server has been asked to end. */
  isEnding(): boolean;
}

/**
 * Every address that is served over HTTP. Only `/health`, `/ready`, the clients and the dashboard's own files need no token; `/media`
 * needs a ticket.
 */
export function createApp({ services, servicesOf, store, guard, authenticator, ...options }: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use(requestId, traceRequests, closeWhenEnding(options.isEnding));
  app.use(refuseSlowBodies(options.bodyMs), securityHeaders);
  const { health, ready } = healthRoutes(options.upkeep, options);
  // before the guard: a balancer's check has no host name that we know
  app.get('/ready', ready);
  app.use(guard.middleware);
  app.get('/health', health);
  const authenticate = authenticated(authenticator, options.signIn?.gate ?? null);
  const audit = auditRequests(services, options.logger);
  const measuring = authenticated(authenticator, options.signIn?.gate ?? null, { elseAsBefore: true });
  app.get('/metrics', measuring, serverWide('measurements'), metricsRoute(options));
  app.use('/auth', signInRoutes(options.signIn));
  app.use(
    '/graphql',
    traceOperations,
    tellClients(options.told),
    orRunProgram(services, authenticate),
    ...options.graphql,
  );
  app.get('/schema.graphql', authenticate, (_request, response) => {
    response.type('text/plain; charset=utf-8').send(options.schemaText);
  });
  app.use(
    '/artifacts',
    orRunToken(services, authenticate),
    artifactRoutes({ servicesOf, store, uploads: options.uploads, links: options.artifactLinks }),
  );
  app.use(
    '/mlflow',
    mlflowRoutes({ ...options, services, servicesOf, store, authenticate, audit, guard: options.outgoingGuard }),
  );
  app.use('/media', mediaRoute({ services, store, viewKey: options.viewKey }));
  app.use('/code', authenticate, codeRoute({ services, store }));
  app.get('/clients/:file', clientFiles(options.clientFolder));
  app.get('/export', authenticate, exportRoute(options.longWorkOf, audit));
  app.use('/frames', chartFrames(options.dashboardFolder));
  app.use(dashboard(options.dashboardFolder));
  app.use(errorHandler(options.logger));
  return app;
}

/** Refuses callers who may not see everything. */
function serverWide(what: string): RequestHandler {
  return (_request, response, next) => {
    requireEverything(callerOf(response), what);
    next();
  };
}

/** A server that is about to end keeps no connection: the next request of its caller goes to another one. */
function closeWhenEnding(isEnding: () => boolean): RequestHandler {
  return (_request, response, next) => {
    if (isEnding()) response.set('Connection', 'close');
    next();
  };
}

function tellClients(told: Readonly<Record<string, string>>): RequestHandler {
  return (_request, response, next) => {
    response.set(told);
    next();
  };
}

/** Of an answer to a token that is unknown, revoked or expired, by a server that needs none. */
const TOKEN_HEADER = 'Warren-Token';

/** Puts the caller's rights and id into `response.locals`: of a token where one was sent, else of who is signed in. */
function authenticated(
  authenticator: Authenticator,
  gate: SessionGate | null,
  options: { elseAsBefore?: boolean } = {},
): RequestHandler {
  return async (request, response, next) => {
    const token = bearerToken(request.headers.authorization);
    const signedIn = token === null && gate !== null ? await gate.callerOf(request, response) : null;
    const rights = signedIn?.rights ?? (await authenticator.rightsOf(token, options));
    if (signedIn === null && !mayDo(rights.role, 'READ')) throw new WarrenError('FORBIDDEN', 'this token may not read');
    // an open server answers all the same: that the token counts for nothing is for its sender to know
    if (token !== null && rights.actor.kind === 'anybody') response.set(TOKEN_HEADER, 'unknown');
    const id = signedIn?.id ?? (rights.role === 'none' ? '' : (token ?? ''));
    const userName = makerOf(rights.actor, request.headers['x-warren-user']);
    Object.assign(response.locals, { ...rights, id, userName });
    next();
  };
}
