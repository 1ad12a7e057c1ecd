import { inTransaction } from '#src/base/database/connection.ts';
import { type LongSeries, listLongSeries, thinSeries } from '#src/metrics/store/longSeries.ts';
import { listMetricDefinitions, type MetricDefinitionRecord } from '#src/metrics/store/metricDefinition.ts';
import { addRunEvents } from '#src/runs/store/runEvent.ts';
import { checkedAge } from '#src/base/contracts/checkedAge.ts';
import { checkedInteger } from '#src/base/contracts/runFields.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { definitionFor } from './metricDefinitions.ts';

/** Points of a series that may be kept at least and at most. */
export const FEWEST_KEPT = 10;
export const MOST_KEPT = 10_000;
const SERIES_AT_ONCE = 500;
/** Points that one transaction reads, but for a series that alone has more. */
const POINTS_AT_ONCE = 200_000;
/** A call ends after so long, to be made again. */
const LONGEST_MS = 5_000;

/** What went of curves, or would go. */
export interface ThinnedPoints {
  runs: number;
  series: number;
  /** Points that went; before it is done, at least so many. */
  points: number;
  /** Whether there is more for another call. */
  more: boolean;
}

/**
 * Thins the curves of runs that ended at least so many days ago to at most `keep` points a metric; last values, extremes and the
 * outline of the curve stay, and the history of the run says so. A metric that is the x axis of others, or is summarized by its
 * mean, stays whole.
 * @throws WarrenError BAD_INPUT for numbers out of their ranges.
 */
export async function thinPoints(
  { db }: Pick<ServiceContext, 'db'>,
  { olderThanDays, keep, dryRun }: { olderThanDays: number; keep: number; dryRun: boolean },
): Promise<ThinnedPoints> {
  const days = checkedAge(olderThanDays);
  checkedInteger(keep, { path: 'keep', minimum: FEWEST_KEPT, maximum: MOST_KEPT });
  const runs = new Set<string>();
  const total: ThinnedPoints = { runs: 0, series: 0, points: 0, more: false };
  const startedMs = performance.now();
  let after = '-1';
  for (;;) {
    const page = await listLongSeries(db, { days, keep, after, limit: SERIES_AT_ONCE });
    for (const portion of portions(await withoutNeeded(db, page))) {
      const gone = dryRun ? portion.map(({ points }) => points - keep) : await thinPortion(db, portion, { days, keep });
      if (gone.length === 0) continue;
      runs.add(portion[0]!.runId);
      total.runs = runs.size;
      total.series += gone.length;
      total.points += sum(gone);
      total.more = !dryRun && performance.now() - startedMs > LONGEST_MS;
      if (total.more) return total;
    }
    if (page.length < SERIES_AT_ONCE) return total;
    after = page.at(-1)!.id;
  }
}

/** Without those whose every point counts: x axes of other metrics, and those of which the mean is shown. */
async function withoutNeeded(db: ServiceContext['db'], series: readonly LongSeries[]): Promise<LongSeries[]> {
  const defined = await listMetricDefinitions(db, [...new Set(series.map(({ runId }) => runId))]);
  if (defined.length === 0) return [...series];
  const byRun = new Map<string, MetricDefinitionRecord[]>();
  for (const one of defined) byRun.set(one.runId, [...(byRun.get(one.runId) ?? []), one]);
  return series.filter(({ runId, name }) => {
    const definitions = byRun.get(runId) ?? [];
    if (definitions.some(({ stepMetric }) => stepMetric === name)) return false;
    return definitionFor(definitions, name)?.summary !== 'mean';
  });
}

/** Series of one run that are thinned together. */
function portions(series: readonly LongSeries[]): LongSeries[][] {
  const found: LongSeries[][] = [];
  for (const one of series) {
    const last = found.at(-1);
    const fits = last?.[0]?.runId === one.runId && sum(last.map(({ points }) => points)) + one.points <= POINTS_AT_ONCE;
    if (fits) last.push(one);
    else found.push([one]);
  }
  return found;
}

async function thinPortion(
  db: ServiceContext['db'],
  portion: readonly LongSeries[],
  old: { days: number; keep: number },
): Promise<number[]> {
  const runId = portion[0]!.runId;
  return await inTransaction(db, async (connection) => {
    const gone = await thinSeries(connection, { runId, ids: portion.map(({ id }) => id) }, old);
    if (gone.length === 0) return [];
    const points = sum(gone);
    const message = `curves of ${gone.length} metrics were thinned to at most ${old.keep} points each: ${points} points were removed`;
    await addRunEvents(connection, [{ runId, type: 'thinned', message, data: { metrics: gone.length, points } }]);
    return gone;
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
