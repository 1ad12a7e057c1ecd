import { GraphQLError, type OperationTypeNode } from 'graphql';
import type { RunAttempt } from '../contracts/runAttempt.ts';
import { type CallerRole, mayDo } from './context.ts';
import { type CostInput, checkCost } from './limits/checkCost.ts';
import { refuseBeyondOwnRun } from './ownRunOnly.ts';

/** What an operation needs: mutations change things, all others only read. */
export function roleNeeded(operation: OperationTypeNode): 'READ' | 'WRITE' {
  return operation === 'mutation' ? 'WRITE' : 'READ';
}

/**
 * The last checks before an operation runs, the same for HTTP and WebSocket.
 * @returns its cost.
 * @throws GraphQLError FORBIDDEN when the caller may not do this, BAD_INPUT when it costs too much.
 */
export function checkOperation(
  input: CostInput & { operation: OperationTypeNode; role: CallerRole; attempt?: RunAttempt | undefined },
): number {
  const needed = roleNeeded(input.operation);
  if (!mayDo(input.role, needed)) {
    const message = `a ${input.operation} needs a token with role ${needed}; this one has ${input.role}`;
    throw new GraphQLError(message, { extensions: { code: 'FORBIDDEN', http: { status: 200 } } });
  }
  const cost = checkCost(input);
  if (input.attempt !== undefined) refuseBeyondOwnRun(input, input.attempt.runId);
  return cost;
}
