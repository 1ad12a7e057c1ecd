import { badInput } from '#src/base/contracts/errors.ts';
import {
  ALL_STEPS,
  type PointColumns,
  readBuckets,
  readPoints,
  type StepRange,
} from '#src/metrics/store/metricPoints.ts';
import { listSeries, type SeriesRecord } from '#src/metrics/store/metricSeries.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { checkReferences, resolveRuns, whyNoRun } from '#src/runs/findRun.ts';
import { checkedInteger } from '#src/base/contracts/runFields.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

/** Points of one series of a run in columns, by step. */
export interface MetricColumns {
  runId: string;
  name: string;
  steps: number[];
  values: number[];
  /** Unix milliseconds. */
  times: number[];
  /** Extremes of the finite values in each bucket, NaN where it has none; null when every point is there. */
  minimum: number[] | null;
  maximum: number[] | null;
  /** Points in the whole series. */
  pointCount: number;
  /** For `newMetrics`: what was flushed up to here is in the columns. */
  cursor: number;
}

export interface MetricHistoryInput {
  /** Ids or numbers. */
  runIds: readonly string[];
  /** All when left out. */
  names?: readonly string[] | null | undefined;
  /**
   * Points of a series at most; a longer one is cut into that many buckets, or fewer where all series together would have
   * more than 100,000 points. 1 to 20,000, default 500.
   */
  maxPoints?: number | null | undefined;
  /** Only points from this step on, and up to and with the other; null: all. */
  fromStep?: number | null | undefined;
  toStep?: number | null | undefined;
}

const MOST_SERIES = 2_000;
/** Of one answer: beyond, every series is cut into fewer buckets. */
const MOST_POINTS = 100_000;

/**
 * Whole series for charts, in the order of the runs asked for, then of the names.
 * @throws WarrenError BAD_INPUT for runs that do not exist, or for more than 2000 series at once.
 */
export async function metricHistory(
  context: Pick<ServiceContext, 'db'>,
  input: MetricHistoryInput,
): Promise<MetricColumns[]> {
  const maxPoints = checkedInteger(input.maxPoints ?? 500, { path: 'maxPoints', minimum: 1, maximum: 20_000 });
  const range = checkedRange(input);
  if (input.runIds.length === 0) return [];
  checkReferences(input.runIds, 'runIds');
  const runs = new Map<string, RunRecord>();
  // The cursors are read before the points: what is flushed in between comes twice, and is never missed.
  for (const [index, run] of (await resolveRuns(context.db, input.runIds)).entries()) {
    if (run === null) throw badInput(`runIds[${index}]: ${whyNoRun(input.runIds[index]!)}`, `runIds[${index}]`);
    runs.set(run.id, run);
  }
  const series = await listSeries(context.db, [...runs.keys()], input.names ?? null);
  if (series.length > MOST_SERIES) {
    const limit = MOST_SERIES.toLocaleString('en');
    throw badInput(
      `names: the runs have ${series.length} such series, expected at most ${limit}; choose some`,
      'names',
    );
  }
  const points = series.reduce((sum, one) => sum + Math.min(one.pointCount, maxPoints), 0);
  const buckets = points <= MOST_POINTS ? maxPoints : Math.min(maxPoints, Math.floor(MOST_POINTS / series.length));
  const columns = await readColumns(context, series, { buckets, range });
  return [...runs.values()].flatMap((run) =>
    series
      .filter((one) => one.runId === run.id && columns.has(one.id))
      .map((one) => ({ ...toColumns(one, run.metricCursor), ...withoutId(columns.get(one.id)!) })),
  );
}

type Banded = PointColumns & Partial<Pick<MetricColumns, 'minimum' | 'maximum'>>;

async function readColumns(
  context: Pick<ServiceContext, 'db'>,
  series: readonly SeriesRecord[],
  { buckets, range }: { buckets: number; range: StepRange },
): Promise<Map<string, Banded>> {
  const short = series.filter((one) => one.pointCount <= buckets).map((one) => one.id);
  const long = series.filter((one) => one.pointCount > buckets);
  const [all, cut] = await Promise.all([
    readPoints(context.db, short, range),
    readBuckets(context.db, long, { buckets, range }),
  ]);
  return new Map<string, Banded>([...all, ...cut].map((columns) => [columns.seriesId, columns]));
}

function checkedRange({ fromStep, toStep }: MetricHistoryInput): StepRange {
  const limits = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
  const from = fromStep == null ? ALL_STEPS.from : checkedInteger(fromStep, { path: 'fromStep', ...limits });
  const to = toStep == null ? ALL_STEPS.to : checkedInteger(toStep, { path: 'toStep', ...limits });
  if (to < from) throw badInput(`toStep: expected at least fromStep, which is ${from}, received ${to}`, 'toStep');
  return { from, to };
}

/** Columns without points yet. */
export function toColumns(series: Pick<SeriesRecord, 'runId' | 'name' | 'pointCount'>, cursor: number): MetricColumns {
  const { runId, name, pointCount } = series;
  return { runId, name, steps: [], values: [], times: [], minimum: null, maximum: null, pointCount, cursor };
}

/** The columns alone. */
export function withoutId<Columns extends PointColumns>({
  seriesId: _,
  ...columns
}: Columns): Omit<Columns, 'seriesId'> {
  return columns;
}
