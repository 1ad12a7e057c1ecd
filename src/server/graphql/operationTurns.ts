import { GraphQLError } from 'graphql';
import type { GraphqlCaller } from '#src/base/graphql/context.ts';
import { LIMITS } from '#src/base/graphql/limits.ts';
import { type Capacity, createCapacity } from '#src/base/lib/capacity.ts';

export interface OperationTurns {
  /**
   * Waits until the caller's other operations leave room for one of this cost; the room is free again when the caller has its
   * answer, or has gone.
   * @throws GraphQLError UNAVAILABLE when too many of the caller's operations wait already.
   */
  take(caller: GraphqlCaller, cost: number): Promise<void>;
}

/** Keeps the operations that a token has under way at once within `LIMITS.costAtOnce`; others are not kept waiting by it. */
export function createOperationTurns(): OperationTurns {
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
