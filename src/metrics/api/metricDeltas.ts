import { badInput } from '#src/base/contracts/errors.ts';
import { newMetrics } from '#src/metrics/newMetrics.ts';
import { findRunsById } from '#src/runs/store/runRecord.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import type { MetricsDelta } from './metrics.ts';
import { changeStream } from '#src/base/graphql/changeStream.ts';
import { followedIds } from '#src/runs/api/runChanges.ts';
import type { Snapshot } from '#src/base/graphql/snapshots.ts';

export interface MetricDeltasArguments {
  runIds: readonly string[];
  names?: readonly string[] | null;
  after?: readonly number[] | null;
}

/** Points of one message; more follow in the next. */
const POINTS_AT_ONCE = 10_000;

/**
 * New points of runs: what each read finds beyond the cursors, whole flushes at a time, so that no point comes twice and
 * none is left out however slowly they are taken.
 */
export async function metricDeltas(
  context: GraphqlContext,
  args: MetricDeltasArguments,
): Promise<AsyncIterableIterator<MetricsDelta>> {
  const { services, changes, snapshots, outlet, onRetry } = context;
  const ids = await followedIds(context, args.runIds);
  const cursors = await startingCursors(context, ids, args.after ?? null);
  const names = args.names == null ? null : args.names.filter((name) => !name.includes('\0'));
  const pending = new Set(ids);

  return changeStream<MetricsDelta>({
    onRetry,
    outlet,
    listen: (wake) =>
      changes.listen(
        ids.map((runId) => ({ type: 'metrics', runId })),
        {
          onChange(event) {
            if (event.type !== 'metrics') return;
            pending.add(event.runId);
            wake();
          },
          onGap() {
            for (const id of ids) pending.add(id);
            wake();
          },
        },
      ),
    async read() {
      const wanted = [...pending].map((runId) => ({ runId, after: cursors.get(runId) ?? 0 }));
      // taken out before the read: a notification that comes while it goes on asks for another
      pending.clear();
      const snapshot = snapshots.current();
      const key = JSON.stringify(['delta', wanted, names]);
      const found = await snapshot
        .once(key, () => readDelta(services, snapshot, { wanted, names }))
        .catch((error) => {
          for (const { runId } of wanted) pending.add(runId);
          throw error;
        });
      for (const [runId, cursor] of found.cursors) cursors.set(runId, cursor);
      for (const runId of found.unread) pending.add(runId);
      return { items: found.delta.series.length === 0 ? [] : [found.delta], more: pending.size > 0 };
    },
  });
}

interface FoundDelta {
  delta: MetricsDelta;
  cursors: Map<string, number>;
  /** Runs that have more, or were not looked at. */
  unread: string[];
}

/** What there is beyond the cursors, until it has `POINTS_AT_ONCE`. */
async function readDelta(
  services: GraphqlContext['services'],
  snapshot: Snapshot,
  { wanted, names }: { wanted: { runId: string; after: number }[]; names: string[] | null },
): Promise<FoundDelta> {
  const found: FoundDelta = { delta: { series: [] }, cursors: new Map(), unread: [] };
  let points = 0;
  for (const { runId, after } of wanted) {
    if (points >= POINTS_AT_ONCE) {
      found.unread.push(runId);
      continue;
    }
    const read = () => newMetrics(services, { runId, names, after });
    const { series, cursor, more } = await snapshot.once(JSON.stringify(['run', runId, after, names]), read);
    found.cursors.set(runId, cursor);
    if (more) found.unread.push(runId);
    found.delta.series.push(...series);
    for (const columns of series) points += columns.steps.length;
  }
  return found;
}

async function startingCursors(
  { services }: GraphqlContext,
  ids: readonly string[],
  after: readonly number[] | null,
): Promise<Map<string, number>> {
  if (after === null) {
    return new Map((await findRunsById(services.db, ids)).map((run) => [run.id, run.metricCursor]));
  }
  if (after.length !== ids.length) {
    throw badInput(`after: received ${after.length} cursors for ${ids.length} runs, expected one each`, 'after');
  }
  return new Map(ids.map((id, index) => [id, after[index] ?? 0]));
}
