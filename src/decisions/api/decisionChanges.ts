import { requireDecision } from '#src/decisions/findDecision.ts';
import { type DecisionRecord, findDecision } from '#src/decisions/store/decisionRecord.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { changeStream } from '#src/base/graphql/changeStream.ts';

export interface DecisionChangesArguments {
  id: string;
}

/** A decision, at once and whenever its state, looks or pairs change. @throws WarrenError NOT_FOUND. */
export async function decisionChanges(
  context: GraphqlContext,
  { id: reference }: DecisionChangesArguments,
): Promise<AsyncIterableIterator<DecisionRecord>> {
  const { changes, services, outlet, onRetry } = context;
  const { id } = await requireDecision(services, reference);
  return changeStream<DecisionRecord>({
    onRetry,
    outlet,
    listen: (wake) => changes.listen([{ type: 'decision', decisionId: id }], { onChange: wake, onGap: wake }),
    async read() {
      const decision = await findDecision(services.db, { id });
      return { items: decision === null ? [] : [decision], more: false };
    },
  });
}
