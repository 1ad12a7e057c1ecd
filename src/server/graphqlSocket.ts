import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  type ExecutionArgs,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import type { Context as SocketContext, SubscribePayload } from 'graphql-ws';
import { type Extra, useServer as serveSockets } from 'graphql-ws/use/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { toErrorRecord } from '../contracts/errors.ts';
import { checkOperation } from '../graphql/checkOperation.ts';
import type { CallerRole, GraphqlContext } from '../graphql/context.ts';
import { formatGraphqlError, type ReportInternal } from '../graphql/formatGraphqlError.ts';
import { aliasRule } from '../graphql/limits/aliasRule.ts';
import { depthRule } from '../graphql/limits/depthRule.ts';
import { LIMITS } from '../graphql/limits/limits.ts';
import type { Authenticator } from './authentication.ts';
import type { RequestGuard } from './requestGuard.ts';

const KEEP_ALIVE_MS = 12_000;
/** Sockets of one process. */
const MAXIMUM_SOCKETS = 2_000;
/** Clients have this long to close their side. */
const CLOSE_MS = 1_000;
/** How often a live socket's token is looked at again: a revoked one loses its subscriptions. */
const RECHECK_MS = 30_000;
const RULES = [...specifiedRules, depthRule, aliasRule];

export interface GraphqlSocketOptions {
  server: Server;
  schema: GraphQLSchema;
  guard: RequestGuard;
  authenticator: Authenticator;
  contextFor(role: CallerRole): GraphqlContext;
  report: ReportInternal;
}

type Socket = SocketContext<Record<string, unknown> | undefined, Extra>;

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

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** GraphQL over WebSocket at `/graphql` (protocol graphql-transport-ws). Returns what closes every socket. */
export function createGraphqlSocket(options: GraphqlSocketOptions): { close(): Promise<void> } {
  const { server, schema, guard, authenticator, contextFor, report } = options;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LIMITS.socketMessageBytes,
    perMessageDeflate: false,
  });
  const timers = new WeakMap<object, NodeJS.Timeout>();

  async function prepare(socket: Socket, payload: SubscribePayload): Promise<ExecutionArgs | readonly GraphQLError[]> {
    if (Object.keys(socket.subscriptions).length > LIMITS.subscriptions) {
      const message = `a socket may hold ${LIMITS.subscriptions} operations at once; end one, or open another socket`;
      return [new GraphQLError(message, { extensions: { code: 'TOO_LARGE' } })];
    }
    const role = await authenticator.roleOf(tokenOf(socket));
    const document = parse(payload.query, { maxTokens: LIMITS.tokens });
    const errors = validate(schema, document, RULES, { maxErrors: 20 });
    if (errors.length > 0) return errors;
    const operation = getOperationAST(document, payload.operationName);
    if (operation == null) {
      return [new GraphQLError('name the operation to run: the document has none of that name, or several')];
    }
    const variables = payload.variables ?? {};
    const operationName = payload.operationName ?? undefined;
    checkOperation({ schema, document, variables, operationName, operation: operation.operation, role });
    return { schema, document, operationName, variableValues: variables, contextValue: contextFor(role) };
  }

  const disposable = serveSockets<Record<string, unknown> | undefined>(
    {
      // what went wrong inside is for the log, not for the reason of a close
      isProd: true,
      async onConnect(socket) {
        try {
          await authenticator.roleOf(tokenOf(socket));
        } catch (error) {
          const { code, message } = toErrorRecord(error);
          if (code === 'UNAUTHENTICATED') return false;
          socket.extra.socket.close(1011, message.slice(0, 100));
          return false;
        }
        const recheck = async () => {
          const failure = await authenticator.roleOf(tokenOf(socket)).then(() => null, toErrorRecord);
          if (failure?.code === 'UNAUTHENTICATED') socket.extra.socket.close(4403, 'Forbidden');
        };
        timers.set(socket.extra.socket, setInterval(() => void recheck(), RECHECK_MS).unref());
        return true;
      },
      onClose: (socket) => clearInterval(timers.get(socket.extra.socket)),
      onSubscribe: (socket, _id, payload) =>
        prepare(socket, payload).catch((error: unknown) => [
          error instanceof GraphQLError ? error : new GraphQLError('refused', { originalError: error as Error }),
        ]),
      onError: (_socket, _id, _payload, errors) => errors.map((error) => formatGraphqlError(error, report)),
      onNext(_socket, _id, _payload, _args, result) {
        // the library would send errors as they are
        if (result.errors === undefined) return undefined;
        const data = 'data' in result ? (result.data ?? null) : null;
        return { data, errors: result.errors.map((error) => formatGraphqlError(error, report)) };
      },
    },
    sockets,
    KEEP_ALIVE_MS,
  );

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
      await disposable.dispose();
      clearTimeout(patience);
    },
  };
}
