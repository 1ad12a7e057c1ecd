import {
  type ExecutionArgs,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import type { ServerOptions, Context as SocketContext, SubscribePayload } from 'graphql-ws';
import type { Extra } from 'graphql-ws/use/ws';
import { z } from 'zod';
import { toErrorRecord } from '../contracts/errors.ts';
import { checkOperation } from '../graphql/checkOperation.ts';
import type { CallerRole, GraphqlContext } from '../graphql/context.ts';
import { formatGraphqlError, type ReportInternal } from '../graphql/formatGraphqlError.ts';
import { aliasRule } from '../graphql/limits/aliasRule.ts';
import { depthRule } from '../graphql/limits/depthRule.ts';
import { LIMITS } from '../graphql/limits/limits.ts';
import type { Authenticator } from './authentication.ts';

export interface SocketOperationOptions {
  schema: GraphQLSchema;
  authenticator: Authenticator;
  contextFor(role: CallerRole): GraphqlContext;
  report: ReportInternal;
}

export type ConnectionParameters = Record<string, unknown> | undefined;
type Socket = SocketContext<ConnectionParameters, Extra>;

/** How often a live socket's token is looked at again: a revoked one loses its subscriptions. */
const RECHECK_MS = 30_000;
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
export function socketOperations(options: SocketOperationOptions): ServerOptions<ConnectionParameters, Extra> {
  const { authenticator, report } = options;
  const timers = new WeakMap<object, NodeJS.Timeout>();

  return {
    async onConnect(socket) {
      const failure = await authenticator.roleOf(tokenOf(socket)).then(() => null, toErrorRecord);
      if (failure !== null) {
        if (failure.code !== 'UNAUTHENTICATED') socket.extra.socket.close(1013, 'Try again later');
        return false;
      }
      const recheck = async () => {
        const refusal = await authenticator.roleOf(tokenOf(socket)).then(() => null, toErrorRecord);
        if (refusal?.code === 'UNAUTHENTICATED') socket.extra.socket.close(4403, 'Forbidden');
      };
      timers.set(socket.extra.socket, setInterval(() => void recheck(), RECHECK_MS).unref());
      return true;
    },
    onClose: (socket) => clearInterval(timers.get(socket.extra.socket)),
    async onSubscribe(socket, _id, payload) {
      try {
        return await prepare(options, socket, payload);
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

async function prepare(
  { schema, authenticator, contextFor }: SocketOperationOptions,
  socket: Socket,
  payload: SubscribePayload,
): Promise<ExecutionArgs | readonly GraphQLError[]> {
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
