import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { useServer as serveSockets, type Extra } from 'graphql-ws/use/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { LIMITS } from '#src/base/graphql/limits.ts';
import type { RequestGuard } from '../access/requestGuard.ts';
import {
  type ExecutionArgs,
  getArgumentValues,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import type { ServerOptions, Context as SocketContext, SubscribePayload } from 'graphql-ws';
import { z } from 'zod';
import { toErrorRecord } from '#src/base/contracts/errors.ts';
import { subscribeShared } from '#src/graphql/subscribeShared.ts';
import { checkOperation } from '#src/graphql/checkOperation.ts';
import type { GraphqlCaller, GraphqlContext } from '#src/base/graphql/context.ts';
import { formatGraphqlError, type ReportInternal } from '#src/graphql/formatGraphqlError.ts';
import { aliasRule } from '#src/graphql/aliasRule.ts';
import { depthRule } from '#src/graphql/depthRule.ts';
import { type Capacity, createCapacity } from '#src/base/lib/capacity.ts';
import { keyOfAccess } from '#src/people/callerAccess.ts';
import type { Authenticator } from '../access/authentication.ts';
import type { SessionGate, SignedInCaller } from '../signIn/sessionGate.ts';

interface SocketOperationOptions {
  schema: GraphQLSchema;
  authenticator: Authenticator;
  /** By whom people who are signed in are known; null where nobody signs in. */
  gate: SessionGate | null;
  contextFor(caller: GraphqlCaller): GraphqlContext;
  report: ReportInternal;
}

type ConnectionParameters = Record<string, unknown> | undefined;
type Socket = SocketContext<ConnectionParameters, Extra>;

/** How often a live socket's token is looked at again: a revoked one loses its subscriptions. */
const RECHECK_MS = 30_000;
/** The same for who is signed in: a disabled user is out soon. */
const SESSION_RECHECK_MS = 5_000;
const RULES = [...specifiedRules, depthRule, aliasRule];

const parametersSchema = z.object({
  token: z.string().max(500).optional(),
  authorization: z.string().max(600).optional(),
});

/** The token in the connection parameters: `{ token }`, or `{ authorization: "Bearer …" }` as in the HTTP header. */
function tokenOf(socket: Socket): string | null {
  const parsed = parametersSchema.safeParse(socket.connectionParams ?? {});
  if (!parsed.success) return null;
  const { token, authorization } = parsed.data;
  return token ?? authorization?.replace(/^Bearer +/i, '').trim() ?? null;
}

/** What graphql-ws asks at each step of a socket's life: the same rights, limits and errors as over HTTP. */
function socketOperations(options: SocketOperationOptions): ServerOptions<ConnectionParameters, Extra> {
  const { report } = options;
  const timers = new WeakMap<object, NodeJS.Timeout>();
  const holdings = new WeakMap<Socket, SocketHoldings>();

  return {
    async onConnect(socket) {
      try {
        await takeSession(options, socket);
      } catch {
        socket.extra.socket.close(1013, 'Try again later');
        return false;
      }
      const look = () => callerOf(options, socket).then(({ rights }) => keyOfAccess(rights), toErrorRecord);
      const first = await look();
      if (typeof first !== 'string') {
        if (first.code !== 'UNAUTHENTICATED') socket.extra.socket.close(1013, 'Try again later');
        return false;
      }
      const recheck = async () => {
        const now = await look();
        const isOther = typeof now === 'string' ? now !== first : now.code === 'UNAUTHENTICATED';
        if (isOther) socket.extra.socket.close(4403, 'Forbidden');
      };
      timers.set(
        socket.extra.socket,
        setInterval(() => void recheck(), sessions.has(socket) ? SESSION_RECHECK_MS : RECHECK_MS).unref(),
      );
      return true;
    },
    onClose: (socket) => clearInterval(timers.get(socket.extra.socket)),
    // the context is the one that `prepare` has made
    subscribe: (args) => subscribeShared({ ...args, contextValue: args.contextValue as GraphqlContext }),
    async onSubscribe(socket, id, payload) {
      const holding = holdings.get(socket) ?? createHoldings();
      holdings.set(socket, holding);
      try {
        const { args, cost } = await prepare(options, { socket, outlet: holding.outlet }, payload);
        if (cost !== null) holdCost(holding, { id, cost, live: socket.subscriptions });
        return args;
      } catch (error) {
        return [error instanceof GraphQLError ? error : new GraphQLError('refused', { originalError: error as Error })];
      }
    },
    onError: (_socket, _id, _payload, errors) => errors.map((error) => formatGraphqlError(error, report)),
    onNext(_socket, _id, _payload, _args, result) {
      // the library would send errors as they are
      if (result.errors === undefined) return undefined;
      const data = 'data' in result ? (result.data ?? null) : null;
      return { data, errors: result.errors.map((error) => formatGraphqlError(error, report)) };
    },
  };
}

/** What the live subscriptions of one socket share. */
interface SocketHoldings {
  outlet: Capacity;
  costs: Map<string, number>;
}

function createHoldings(): SocketHoldings {
  const outlet = createCapacity({ total: LIMITS.socketMessages, mostWaiting: LIMITS.subscriptions });
  return { outlet, costs: new Map() };
}

/** @throws GraphQLError TOO_LARGE when the live subscriptions would cost too much together. */
function holdCost(
  { costs }: SocketHoldings,
  { id, cost, live }: { id: string; cost: number; live: Record<string, unknown> },
): void {
  for (const ended of [...costs.keys()].filter((one) => !(one in live))) costs.delete(ended);
  const sum = [...costs.values()].reduce((total, one) => total + one, cost);
  if (sum > LIMITS.socketCost) {
    const facts = `the subscriptions of this socket would cost ${sum} together; at most ${LIMITS.socketCost} is allowed`;
    const message = `${facts}: follow fewer runs, end some, or open another socket`;
    throw new GraphQLError(message, { extensions: { code: 'TOO_LARGE' } });
  }
  costs.set(id, cost);
}

const goneSignals = new WeakMap<object, AbortSignal>();

/** Aborted when the socket is closed. */
function goneSignal({ extra: { socket } }: Socket): AbortSignal {
  const known = goneSignals.get(socket);
  if (known !== undefined) return known;
  const controller = new AbortController();
  socket.once('close', () => controller.abort());
  goneSignals.set(socket, controller.signal);
  return controller.signal;
}

/** The sessions by whose cookie sockets were opened. The cookie itself is replaced while the socket lives. */
const sessions = new WeakMap<object, string>();

async function takeSession({ gate }: SocketOperationOptions, socket: Socket): Promise<void> {
  if (gate === null || tokenOf(socket) !== null) return;
  const caller = await gate.socketCaller(socket.extra.request);
  if (caller !== null) sessions.set(socket, caller.id);
}

/** @throws WarrenError UNAUTHENTICATED when the token or the session is none that holds. */
async function callerOf({ authenticator, gate }: SocketOperationOptions, socket: Socket): Promise<SignedInCaller> {
  const session = sessions.get(socket);
  const signedIn = session === undefined || gate === null ? null : await gate.look(session);
  if (signedIn !== null) return signedIn;
  const token = tokenOf(socket);
  return { rights: await authenticator.rightsOf(token), id: token ?? '' };
}

async function prepare(
  options: SocketOperationOptions,
  { socket, outlet }: { socket: Socket; outlet: Capacity },
  payload: SubscribePayload,
): Promise<{ args: ExecutionArgs | readonly GraphQLError[]; cost: number | null }> {
  if (Object.keys(socket.subscriptions).length > LIMITS.subscriptions) {
    const message = `a socket may hold ${LIMITS.subscriptions} operations at once; end one, or open another socket`;
    return refusal(new GraphQLError(message, { extensions: { code: 'TOO_LARGE' } }));
  }
  const { schema, contextFor } = options;
  const { rights, id } = await callerOf(options, socket);
  const document = parse(payload.query, { maxTokens: LIMITS.tokens });
  const errors = validate(schema, document, RULES, { maxErrors: 20 });
  if (errors.length > 0) return refusal(...errors);
  const operation = getOperationAST(document, payload.operationName);
  if (operation == null) {
    return refusal(new GraphQLError('name the operation to run: the document has none of that name, or several'));
  }
  const variables = payload.variables ?? {};
  const operationName = payload.operationName ?? undefined;
  const contextValue = contextFor({ id, ...rights, signal: goneSignal(socket), outlet });
  const { cost, coerced } = checkOperation({
    schema,
    document,
    variables,
    operationName,
    operation: operation.operation,
    context: contextValue,
  });
  const args = {
    schema,
    document,
    operationName,
    variableValues: variables,
    contextValue,
  };
  if (operation.operation !== OperationTypeNode.SUBSCRIPTION) return { args, cost: null };
  return { args, cost: cost * followedRuns(schema, operation, coerced.values) };
}

function refusal(...errors: GraphQLError[]): { args: GraphQLError[]; cost: null } {
  return { args: errors, cost: null };
}

/** How many runs a subscription names; one for those that follow a project. */
function followedRuns(
  schema: GraphQLSchema,
  { selectionSet }: OperationDefinitionNode,
  variables: Record<string, unknown>,
): number {
  const counts = selectionSet.selections.map((node) => {
    if (node.kind !== Kind.FIELD) return LIMITS.followedRuns;
    const field = schema.getSubscriptionType()?.getFields()[node.name.value];
    const { runIds } = field === undefined ? {} : getArgumentValues(field, node, variables);
    return Array.isArray(runIds) ? runIds.length : 1;
  });
  return Math.max(1, ...counts);
}

const KEEP_ALIVE_MS = 12_000;
/** Sockets of one process. */
const MAXIMUM_SOCKETS = 2_000;
/** Clients have this long to close their side. */
const CLOSE_MS = 1_000;

export interface GraphqlSocketOptions extends SocketOperationOptions {
  server: Server;
  guard: RequestGuard;
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** GraphQL over WebSocket at `/graphql` (protocol graphql-transport-ws). Returns what closes every socket. */
export function createGraphqlSocket({ server, guard, ...options }: GraphqlSocketOptions): { close(): Promise<void> } {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LIMITS.socketMessageBytes,
    perMessageDeflate: false,
  });
  // in production mode it keeps what went wrong inside out of the reason of a close
  const operations = { ...socketOperations(options), isProd: true };
  const served = serveSockets<ConnectionParameters>(operations, sockets, KEEP_ALIVE_MS);

  function open(socket: WebSocket, request: IncomingMessage): void {
    sockets.emit('connection', socket, request);
    // ws closes a socket that breaks its rules by itself; the binding would print the stack of each
    socket.removeAllListeners('error');
    socket.on('error', () => {});
  }

  function onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const path = (request.url ?? '').split('?')[0];
    if (path !== '/graphql') refuse(socket, '404 Not Found');
    else if (!guard.hostAllowed(request) || !guard.originAllowed(request)) refuse(socket, '403 Forbidden');
    else if (sockets.clients.size >= MAXIMUM_SOCKETS) refuse(socket, '503 Service Unavailable');
    else sockets.handleUpgrade(request, socket, head, (opened) => open(opened, request));
  }
  server.on('upgrade', onUpgrade);

  return {
    async close() {
      server.off('upgrade', onUpgrade);
      const patience = setTimeout(() => {
        for (const client of sockets.clients) client.terminate();
      }, CLOSE_MS);
      await served.dispose();
      clearTimeout(patience);
    },
  };
}
