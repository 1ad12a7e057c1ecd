import {
  createSourceEventStream,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type SubscriptionArgs,
} from 'graphql';
import { stableHash } from '#src/base/lib/stableHash.ts';
import { keyOfScope } from '#src/base/platform/postgres/scopedDatabase.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';

/** Results of one event, by the operation that asks. */
type Results = Map<string, Promise<ExecutionResult>>;

const resultsOf = new WeakMap<object, Results>();

/**
 * graphql's own `subscribe`, but for one thing: of subscriptions that are alike (text, variables, role), an event that
 * they share is executed once for all of them.
 */
export async function subscribeShared(
  args: SubscriptionArgs & { contextValue: Pick<GraphqlContext, 'role' | 'reads'> },
): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> {
  const events = await createSourceEventStream(args);
  if (!(Symbol.asyncIterator in events)) return events;
  const iterator = events[Symbol.asyncIterator]();
  const { operationName = null, variableValues = null } = args;
  const operation = stableHash({
    role: args.contextValue.role,
    reads: keyOfScope(args.contextValue.reads),
    operationName,
    variableValues,
    text: args.document.loc?.source.body ?? null,
  });

  const mapped = async (result: Promise<IteratorResult<unknown>>): Promise<IteratorResult<ExecutionResult>> => {
    const { value, done } = await result;
    if (done === true) return { value: undefined, done };
    return { value: await executeOnce({ ...args, rootValue: value }, operation), done: false };
  };
  const ended = { value: undefined, done: true } as const;
  const results: AsyncIterableIterator<ExecutionResult> = {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => mapped(iterator.next()),
    return: () => (iterator.return === undefined ? Promise.resolve(ended) : mapped(iterator.return())),
    throw: (error) => (iterator.throw === undefined ? Promise.reject(error) : mapped(iterator.throw(error))),
  };
  return results;
}

async function executeOnce(args: ExecutionArgs, operation: string): Promise<ExecutionResult> {
  const { rootValue: event } = args;
  if (typeof event !== 'object' || event === null) return await execute(args);
  const results: Results = resultsOf.get(event) ?? new Map();
  resultsOf.set(event, results);
  const result = results.get(operation) ?? Promise.resolve(execute(args));
  results.set(operation, result);
  return await result;
}
