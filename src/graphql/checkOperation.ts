import { type DocumentNode, getOperationAST, GraphQLError, Kind, OperationTypeNode } from 'graphql';
import { type CoercedOperation, coerceOperation, type GivenOperation } from '../base/graphql/coercedOperation.ts';
import { confineToWrites, type GraphqlContext, mayDo } from '../base/graphql/context.ts';
import { checkCost } from '../base/graphql/checkCost.ts';
import { refuseBeyondLink } from './ownLinkOnly.ts';
import { refuseBeyondOwnRun } from './ownRunOnly.ts';

/** What an operation needs: mutations change things, all others only read. */
export function roleNeeded(operation: OperationTypeNode): 'READ' | 'WRITE' {
  return operation === 'mutation' ? 'WRITE' : 'READ';
}

/**
 * The last checks before an operation runs, the same for HTTP and WebSocket. A mutation has what the caller may change from
 * here on.
 * @returns its cost, and what is to be executed.
 * @throws GraphQLError FORBIDDEN when the caller may not do this, BAD_INPUT when it costs too much or its variables are wrong.
 */
export function checkOperation(input: GivenOperation & { operation: OperationTypeNode; context: GraphqlContext }): {
  cost: number;
  coerced: CoercedOperation;
} {
  const { role, attempt, reads, actor } = input.context;
  const ownThings = actor.kind === 'user' && changesOwnTokens(input.document, input.operationName);
  const needed = ownThings ? 'READ' : roleNeeded(input.operation);
  if (!mayDo(role, needed)) {
    const message = `a ${input.operation} needs a token with role ${needed}; this one has ${role}`;
    throw new GraphQLError(message, { extensions: { code: 'FORBIDDEN', http: { status: 200 } } });
  }
  const coerced = coerceOperation(input);
  const cost = checkCost(coerced);
  if (attempt !== undefined) refuseBeyondOwnRun(coerced, attempt.runId);
  if (reads?.kind === 'share') refuseBeyondLink(coerced);
  if (input.operation === OperationTypeNode.MUTATION) confineToWrites(input.context);
  return { cost, coerced };
}

/** Changes that everybody who is signed in may make. */
const OF_ONESELF = new Set(['issueOwnToken', 'revokeOwnToken', '__typename']);

function changesOwnTokens(document: DocumentNode, operationName: string | undefined): boolean {
  const selections = getOperationAST(document, operationName)?.selectionSet.selections ?? [];
  return selections.every((node) => node.kind === Kind.FIELD && OF_ONESELF.has(node.name.value));
}
