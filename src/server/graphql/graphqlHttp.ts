import { ApolloServer, type ApolloServerOptions, type ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { expressMiddleware } from '@as-integrations/express5';
import express, { type RequestHandler, type Response } from 'express';
import { GraphQLError, type GraphQLSchema, Kind, parse } from 'graphql';
import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { checkOperation } from '#src/graphql/checkOperation.ts';
import type { CoercedOperation } from '#src/base/graphql/coercedOperation.ts';
import type { GraphqlCaller, GraphqlContext } from '#src/base/graphql/context.ts';
import { formatGraphqlError, type ReportInternal } from '#src/graphql/formatGraphqlError.ts';
import { aliasRule } from '#src/graphql/aliasRule.ts';
import { depthRule } from '#src/graphql/depthRule.ts';
import { LIMITS } from '#src/base/graphql/limits.ts';
import { type ChangedNumber, findChangedNumber, whyChanged } from '#src/base/lib/changedNumber.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import type { Logger } from '#src/base/platform/logger.ts';
import type { Instruments } from '../observe/instruments.ts';
import { watchOperations } from '../observe/watchOperations.ts';
import type { SlowWorkLog } from '../observe/slowWork.ts';
import { createQueryExecutor } from './compiledQueries.ts';
import { type LoggingLane, loggingHandler } from './loggingLane.ts';
import { type Capacity, createCapacity } from '#src/base/lib/capacity.ts';
import { sendError } from '../routes/sendError.ts';

interface OperationTurns {
  /**
   * Waits until the caller's other operations leave room for one of this cost; the room is free again when the caller has its
   * answer, or has gone.
   * @throws GraphQLError UNAVAILABLE when too many of the caller's operations wait already.
   */
  take(caller: GraphqlCaller, cost: number): Promise<void>;
}

/** Keeps the operations that a token has under way at once within `LIMITS.costAtOnce`; others are not kept waiting by it. */
function createOperationTurns(): OperationTurns {
  const capacities = new Map<string, Capacity>();

  return {
    async take({ id, signal }, cost) {
      const capacity =
        capacities.get(id) ?? createCapacity({ total: LIMITS.costAtOnce, mostWaiting: LIMITS.waitingOperations });
      capacities.set(id, capacity);
      const giveBack = await capacity.take(LIMITS.operationCost + cost, signal);
      if (giveBack === null) {
        const message = `this token has too many operations under way, and ${LIMITS.waitingOperations} that wait; try again`;
        throw new GraphQLError(message, { extensions: { code: 'UNAVAILABLE', http: { status: 503 } } });
      }
      const end = () => {
        giveBack();
        if (capacity.isIdle()) capacities.delete(id);
      };
      if (signal.aborted) end();
      else signal.addEventListener('abort', end, { once: true });
    },
  };
}

export interface GraphqlHttpOptions {
  schema: GraphQLSchema;
  lane: LoggingLane;
  contextFor(caller: GraphqlCaller): GraphqlContext;
  report: ReportInternal;
  logger: Logger;
  instruments: Pick<Instruments, 'operation' | 'error'>;
  /** Operations that take longer are written to the log. */
  slowMs: number;
  slowWork: Pick<SlowWorkLog, 'note'>;
}

export interface GraphqlHttp {
  /** For `/graphql`, after the caller is in `response.locals`. */
  handlers: RequestHandler[];
  stop(): Promise<void>;
}

const LOGGING_FIELDS = new Set(['logMetrics', 'logLines', 'logMedia']);

/** Whether every field that a document asks for logs points, lines or media: those may be large. */
function onlyLogs(query: unknown): boolean {
  if (typeof query !== 'string') return false;
  try {
    const document = parse(query, { maxTokens: LIMITS.tokens, noLocation: true });
    return document.definitions.every(
      (definition) =>
        definition.kind === Kind.OPERATION_DEFINITION &&
        definition.selectionSet.selections.every(
          (node) => node.kind === Kind.FIELD && LOGGING_FIELDS.has(node.name.value),
        ),
    );
  } catch {
    return false; // whatever is wrong with it is Apollo's to say
  }
}

/** Refuses bodies above `LIMITS.bodyBytes` unless they only log. */
/** Under which parameters stand, whose numbers are kept as they are written or refused. */
const PARAMETER_NAMES: ReadonlySet<string> = new Set(['parameters', 'config']);
/** What programs log cannot be refused: their clients leave such numbers out, and say so. */
const LOGGED = /\b(?:createRun|addParameters|forkRun|resumeRun|importRun)\b/;

function bodyLimit(sizes: WeakMap<object, number>, numbers: WeakMap<object, ChangedNumber>): RequestHandler {
  return (request, response, next) => {
    const size = sizes.get(request) ?? 0;
    const query: unknown = request.body?.query;
    if (size > LIMITS.bodyBytes && !onlyLogs(query)) {
      const message = `the request has ${size} bytes; at most ${LIMITS.bodyBytes} are taken, ${LIMITS.logBodyBytes} for logMetrics, logLines and logMedia`;
      return sendError(response, new WarrenError('TOO_LARGE', message));
    }
    const number = numbers.get(request);
    if (number !== undefined && !LOGGED.test(String(query))) {
      const { path, text } = number;
      return sendError(response, badInput(`${path}: ${text} ${whyChanged(text)}`, path));
    }
    request.body ??= {}; // Apollo's binding insists on one, and a GET has none
    next();
  };
}

/** Operations that have been checked, by the context of their request. */
type Checked = WeakMap<GraphqlContext, CoercedOperation>;

function checks(schema: GraphQLSchema, checked: Checked): ApolloServerPlugin<GraphqlContext> {
  const turns = createOperationTurns();
  return {
    async requestDidStart() {
      return {
        async didResolveOperation({ request, document, operation, operationName, contextValue }) {
          if (operation === undefined) {
            const message = 'name the operation to run: the document has none of that name, or several';
            throw new GraphQLError(message, { extensions: { code: 'BAD_INPUT', http: { status: 400 } } });
          }
          const { cost, coerced } = checkOperation({
            schema,
            document,
            variables: request.variables ?? {},
            operationName: operationName ?? undefined,
            operation: operation.operation,
            context: contextValue,
          });
          checked.set(contextValue, coerced);
          await turns.take(contextValue, cost);
        },
      };
    },
  };
}

/** Aborted when the answer is finished, or the caller has gone before. */
function goneSignal(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => controller.abort());
  return controller.signal;
}

/** How Apollo is told of another executor than that of graphql-js. */
function withExecutor(
  schema: GraphQLSchema,
  checked: Checked,
): NonNullable<ApolloServerOptions<GraphqlContext>['gateway']> {
  const executor = createQueryExecutor();
  return {
    onSchemaLoadOrUpdate(told) {
      told({ apiSchema: schema, coreSupergraphSdl: '' });
      return () => {};
    },
    load: async () => ({
      executor: async ({ context }) => {
        const contextValue = context as GraphqlContext;
        const operation = checked.get(contextValue);
        invariant(operation !== undefined, 'a checked operation');
        return await executor(operation, contextValue);
      },
    }),
    stop: async () => {},
  };
}

/** GraphQL over HTTP: Apollo with the limits of `src/base/graphql/limits.ts`, no batches, no simple cross-site requests. */
export async function createGraphqlHttp({
  schema,
  lane,
  contextFor,
  report,
  logger,
  instruments,
  slowMs,
  slowWork,
}: GraphqlHttpOptions): Promise<GraphqlHttp> {
  const checked: Checked = new WeakMap();
  const apollo = new ApolloServer<GraphqlContext>({
    gateway: withExecutor(schema, checked),
    introspection: true,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens: LIMITS.tokens },
    validationRules: [depthRule, aliasRule],
    formatError: (_formatted, error) => formatGraphqlError(error, report),
    plugins: [
      watchOperations({ instruments, logger, slowMs, slowWork }),
      checks(schema, checked),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginCacheControlDisabled(),
    ],
    logger: {
      debug: (message) => logger.debug(message),
      info: (message) => logger.debug(message),
      warn: (message) => logger.warn(message),
      error: (message) => logger.error(message),
    },
  });
  await apollo.start();
  const sizes = new WeakMap<object, number>();
  const numbers = new WeakMap<object, ChangedNumber>();
  const json = express.json({
    limit: LIMITS.logBodyBytes,
    verify: (request, _response, body) => {
      sizes.set(request, body.length);
      if (![...PARAMETER_NAMES].some((name) => body.includes(`"${name}"`))) return;
      const number = findChangedNumber(body.toString('utf8'), PARAMETER_NAMES);
      if (number !== null) numbers.set(request, number);
    },
  });
  const uncached: RequestHandler = (_request, response, next) => {
    response.setHeader('cache-control', 'no-store');
    next();
  };
  const graphql = expressMiddleware(apollo, {
    context: async ({ res }) =>
      contextFor({ ...(res.locals as Omit<GraphqlCaller, 'signal' | 'outlet'>), signal: goneSignal(res) }),
  });
  return {
    handlers: [uncached, json, bodyLimit(sizes, numbers), loggingHandler(lane), graphql],
    stop: () => apollo.stop(),
  };
}
