import { requireSweep } from '#src/sweeps/findSweep.ts';
import type { SweepRecord } from '#src/sweeps/store/sweepRecord.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { changeStream } from '#src/base/graphql/changeStream.ts';

export interface SweepChangesArguments {
  id: string;
}

/** A sweep, at once and whenever its state or its trials change. @throws WarrenError NOT_FOUND. */
export async function sweepChanges(
  context: GraphqlContext,
  { id: reference }: SweepChangesArguments,
): Promise<AsyncIterableIterator<SweepRecord>> {
  const { changes, snapshots, outlet, onRetry } = context;
  const { id } = await requireSweep(context.services, reference);
  return changeStream<SweepRecord>({
    onRetry,
    outlet,
    listen: (wake) => changes.listen([{ type: 'sweep', sweepId: id }], { onChange: wake, onGap: wake }),
    async read() {
      const sweep = await snapshots.current().loaders.sweep.load(id);
      return { items: sweep === null ? [] : [sweep], more: false };
    },
  });
}
