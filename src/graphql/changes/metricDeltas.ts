import { badInput } from '../../contracts/errors.ts';
import type { MetricColumns } from '../../services/metricHistory.ts';
import { newMetrics } from '../../services/newMetrics.ts';
import { findRunsById } from '../../store/runRecord.ts';
import type { GraphqlContext } from '../context.ts';
import type { MetricsDelta } from '../types/metrics.ts';
import { changeStream } from './changeStream.ts';
import { followedIds } from './runChanges.ts';

export interface MetricDeltasArguments {
  runIds: readonly string[];
  names?: readonly string[] | null;
  after?: readonly number[] | null;
}

/** Points of one message; more follow in the next. */
const POINTS_AT_ONCE = 50_000;

/**
 * New points of runs: what each read finds beyond the cursors, whole flushes at a time, so that no point comes twice and
 * none is left out however slowly they are taken.
 */
export async function metricDeltas(
  context: GraphqlContext,
  args: MetricDeltasArguments,
): Promise<AsyncIterableIterator<MetricsDelta>> {
  const { services, changes, onRetry } = context;
  const ids = await followedIds(context, args.runIds);
  const cursors = await startingCursors(context, ids, args.after ?? null);
  const names = args.names == null ? null : args.names.filter((name) => !name.includes('\0'));
  const pending = new Set(ids);

  return changeStream<MetricsDelta>({
    onRetry,
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
      const series: MetricColumns[] = [];
      let points = 0;
      for (const runId of [...pending]) {
        if (points >= POINTS_AT_ONCE) break;
        // taken out before the read: a hint that comes while it goes on asks for another
        pending.delete(runId);
        const found = await newMetrics(services, { runId, names, after: cursors.get(runId) ?? 0 }).catch((error) => {
          pending.add(runId);
          throw error;
        });
        cursors.set(runId, found.cursor);
        if (found.more) pending.add(runId);
        series.push(...found.series);
        for (const columns of found.series) points += columns.steps.length;
      }
      return { items: series.length === 0 ? [] : [{ series }], more: pending.size > 0 };
    },
  });
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
