import { lastFlushWithin, readFlushedPoints } from '#src/metrics/store/metricPoints.ts';
import { listSeries } from '#src/metrics/store/metricSeries.ts';
import { requireRun } from '#src/runs/findRun.ts';
import { type MetricColumns, toColumns, withoutId } from './metricHistory.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

export interface NewMetricsInput {
  /** Id or number. */
  runId: string;
  /** The cursor of an earlier answer; 0 for everything. */
  after: number;
  /** All when left out. */
  names?: readonly string[] | null | undefined;
}

export interface NewMetrics {
  series: MetricColumns[];
  /** Give it as `after` to go on. */
  cursor: number;
  /** Whether there is more already. */
  more: boolean;
}

/** Points of one answer at most, but for a single flush that has more. */
const MOST_POINTS = 10_000;

/** Points of a run that were written after a cursor, whole flushes at a time, so that nothing comes twice or is missed. */
export async function newMetrics(context: Pick<ServiceContext, 'db'>, input: NewMetricsInput): Promise<NewMetrics> {
  const run = await requireRun(context, input.runId, 'runId');
  const { after } = input;
  if (run.metricCursor <= after) return { series: [], cursor: after, more: false };
  const series = await listSeries(context.db, [run.id], input.names ?? null);
  const ids = series.map((one) => one.id);
  const upTo = await lastFlushWithin(context.db, ids, { after, limit: MOST_POINTS });
  if (upTo === null) return { series: [], cursor: run.metricCursor, more: false };
  const columns = await readFlushedPoints(context.db, ids, { after, upTo });
  const cursor = await nextCursor(context, ids, { upTo, runCursor: run.metricCursor });
  const byId = new Map(columns.map((one) => [one.seriesId, one]));
  return {
    series: series.flatMap((one) => {
      const found = byId.get(one.id);
      return found === undefined ? [] : [{ ...toColumns(one, cursor), ...withoutId(found) }];
    }),
    cursor,
    more: cursor < run.metricCursor,
  };
}

/** Flushes without points of these series need no reading: past the last one that has some, the run's own cursor holds. */
async function nextCursor(
  context: Pick<ServiceContext, 'db'>,
  ids: readonly string[],
  { upTo, runCursor }: { upTo: number; runCursor: number },
): Promise<number> {
  if (upTo >= runCursor) return upTo;
  return (await lastFlushWithin(context.db, ids, { after: upTo, limit: 0 })) === null ? runCursor : upTo;
}
