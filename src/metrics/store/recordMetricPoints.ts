import { badInput } from '#src/base/contracts/errors.ts';
import { SERIES_PER_RUN } from '#src/base/contracts/reports.ts';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { numberArrayLiteral } from '#src/base/database/databaseText.ts';
import { countRow, queryRows } from '#src/base/database/queryRows.ts';
import { z } from 'zod';
import { type NewPoints, LARGEST_STEP, type MetricPointInput, pointColumns } from './pointColumns.ts';
import { type NewBlocks, partBlocks } from './pointBlocks.ts';

const createdRow = z.object({ series: z.int(), points: z.int() });

/** What becomes of series that were not there, each counted as `NewPoints` does, from 1. */
interface NewSeries {
  /** How many were made. */
  count: number;
  /** Those whose points are written. */
  written: ReadonlySet<number>;
  /** How many points these have. */
  points: number;
}

/** Columns of the summaries of series, an entry a name. */
interface Summaries {
  points: number[];
  lastSteps: number[];
  lastValues: number[];
  lastTimes: number[];
  /** Of the finite values; NaN where there is none. */
  minima: number[];
  maxima: number[];
}

/**
 * Makes the series of a run that are not there, summed up over the points given, with these points as rows: a summary that is
 * written later is a second copy in each index. For use while the run's row is locked.
 * @param points Those of series that make no blocks; names without any get a series without points.
 */
async function insertNewSeries(
  connection: Connection,
  { runId, cursor }: { runId: string; cursor: number },
  points: NewPoints,
): Promise<NewSeries> {
  // names that differ only in what PostgreSQL cannot hold are one there
  const areOne = new Set(points.names).size < points.names.length;
  const own = areOne ? { names: points.names, series: [], steps: [], values: [], times: [] } : points;
  const summaries = summaryColumns(own);
  const rows = await queryRows(connection, createdRow)`
    WITH given AS MATERIALIZED (
      SELECT * FROM unnest(${points.names}::text[], ${numberArrayLiteral(summaries.points)}::int4[],
        ${numberArrayLiteral(summaries.lastSteps)}::int8[], ${numberArrayLiteral(summaries.lastValues)}::float8[],
        ${numberArrayLiteral(summaries.lastTimes)}::int8[], ${numberArrayLiteral(summaries.minima)}::float8[],
        ${numberArrayLiteral(summaries.maxima)}::float8[]) WITH ORDINALITY
        AS one (name, points, last_step, last_value, last_time, minimum, maximum, series)
    ), created AS (
      INSERT INTO metric_series (run_id, name, point_count, last_step, last_value, last_time, minimum, maximum)
      SELECT ${runId}::uuid, name, points, last_step, last_value, CASE WHEN points > 0 THEN to_timestamp(last_time / 1000.0) END,
        nullif(minimum, 'NaN'), nullif(maximum, 'NaN')
      FROM given WHERE NOT EXISTS (SELECT FROM metric_series known WHERE known.run_id = ${runId}::uuid AND known.name = given.name)
      ON CONFLICT DO NOTHING RETURNING id, name
    ), numbered AS MATERIALIZED (
      SELECT created.id, given.series, given.points FROM created JOIN given ON given.name = created.name
    ), inserted AS (
      INSERT INTO metric_point (series_id, step, value, time, flush)
      SELECT numbered.id, point.step, point.value, to_timestamp(point.time / 1000.0), ${cursor}::int
      FROM unnest(${numberArrayLiteral(own.series)}::int8[], ${numberArrayLiteral(own.steps)}::int8[],
        ${numberArrayLiteral(own.values)}::float8[], ${numberArrayLiteral(own.times)}::int8[])
        AS point (series, step, value, time)
      JOIN numbered ON numbered.series = point.series
    )
    SELECT series::int4 AS series, points FROM numbered`;
  const written = rows.filter((row) => row.points > 0);
  return {
    count: rows.length,
    written: new Set(written.map(({ series }) => series)),
    points: written.reduce((sum, row) => sum + row.points, 0),
  };
}

function summaryColumns({ names, series, steps, values, times }: NewPoints): Summaries {
  const column = (value: number) => names.map(() => value);
  const summaries = {
    // as the table has them of series without points
    ...{ points: column(0), lastSteps: column(-1), lastValues: column(0), lastTimes: column(0) },
    ...{ minima: column(Number.NaN), maxima: column(Number.NaN) },
  };
  for (const [place, number] of series.entries()) {
    const index = number - 1;
    const value = values[place]!;
    const step = steps[place]!;
    if (summaries.points[index]! === 0 || step > summaries.lastSteps[index]!) {
      summaries.lastSteps[index] = step;
      summaries.lastValues[index] = value;
      summaries.lastTimes[index] = times[place]!;
    }
    summaries.points[index]!++;
    if (!Number.isFinite(value)) continue;
    if (!(summaries.minima[index]! <= value)) summaries.minima[index] = value;
    if (!(summaries.maxima[index]! >= value)) summaries.maxima[index] = value;
  }
  return summaries;
}

/** The points of all other series. */
function pointsBeside({ names, ...points }: NewPoints, left: ReadonlySet<number>): NewPoints {
  if (left.size === 0) return { names, ...points };
  const stays = points.series.map((one) => !left.has(one));
  const rest = (column: readonly number[]) => column.filter((_, place) => stays[place]);
  const { series, steps, values, times } = points;
  return { names, series: rest(series), steps: rest(steps), values: rest(values), times: rest(times) };
}

const lateRow = z.object({ series: z.int() });

/**
 * Parts points of a run, whose series are there, into blocks and rows: series with many points that all come after those that
 * it has become blocks. For use while the run's row is locked.
 */
async function partedPoints(
  connection: Connection,
  runId: string,
  points: NewPoints,
): Promise<{ blocks: NewBlocks; loose: NewPoints }> {
  const parted = partBlocks(points);
  const { series, firstSteps } = parted.blocks;
  if (series.length === 0) return parted;
  const rows = await queryRows(connection, lateRow)`
    SELECT given.series FROM unnest(${series.map((one) => points.names[one - 1]!)}::text[],
      ${numberArrayLiteral(series)}::int4[], ${numberArrayLiteral(firstSteps)}::int8[]) AS given (name, series, first_step)
    JOIN metric_series ON metric_series.run_id = ${runId}::uuid AND metric_series.name = given.name
    WHERE given.first_step < 0 OR (metric_series.point_count > 0 AND metric_series.last_step >= given.first_step)`;
  if (rows.length === 0) return parted;
  return partBlocks(points, new Set(rows.map((row) => row.series)));
}

/** Writes blocks, of series that the CTE `series` numbers by `position`, and gives what each adds to its series. */
function insertBlocksSql(blocks: NewBlocks, flush: number): Prisma.Sql {
  const integers = (values: readonly number[]) => numberArrayLiteral(values);
  return Prisma.sql`
      INSERT INTO metric_block (series_id, first_step, last_step, points, stride, first_flush, last_flush, minimum, maximum,
        last_value, last_time, first_time, steps, values, times)
      SELECT series.id, given.first_step, given.last_step, given.points, greatest(1, given.stride), ${flush}::int, ${flush}::int,
        nullif(given.minimum, 'NaN'), nullif(given.maximum, 'NaN'), given.last_value,
        to_timestamp(given.last_time / 1000.0), to_timestamp(given.first_time / 1000.0),
        CASE WHEN given.stride = 0 THEN all_points.steps[given.behind - given.points + 1 : given.behind] END,
        all_points.values[given.behind - given.points + 1 : given.behind],
        all_points.times[given.behind - given.points + 1 : given.behind]
      FROM (
        SELECT *, sum(points) OVER (ORDER BY place)::int4 AS behind
        FROM unnest(${integers(blocks.series)}::int4[], ${integers(blocks.points)}::int4[],
          ${integers(blocks.firstSteps)}::int8[], ${integers(blocks.lastSteps)}::int8[], ${integers(blocks.strides)}::int8[],
          ${numberArrayLiteral(blocks.minima)}::float8[], ${numberArrayLiteral(blocks.maxima)}::float8[],
          ${numberArrayLiteral(blocks.lastValues)}::float8[], ${integers(blocks.firstTimes)}::int8[],
          ${integers(blocks.lastTimes)}::int8[]) WITH ORDINALITY
          AS one (series, points, first_step, last_step, stride, minimum, maximum, last_value, first_time, last_time, place)
      ) given
      JOIN series ON series.position = given.series
      CROSS JOIN (SELECT ${integers(blocks.steps)}::int8[] AS steps, ${numberArrayLiteral(blocks.values)}::float8[] AS values,
        ${integers(blocks.times)}::int4[] AS times OFFSET 0) all_points
      RETURNING series_id, points, last_step, last_value, last_time, minimum, maximum`;
}

/** Whether the newest of the points that were written is the newest of its series. */
const IS_LAST = Prisma.sql`(metric_series.point_count = 0 OR summary.last_step > metric_series.last_step)`;

async function refuseManySeries(connection: Connection, runId: string, most: number): Promise<void> {
  const rows = await queryRows(connection, countRow)`
    SELECT count(*)::int AS count FROM metric_series WHERE run_id = ${runId}::uuid`;
  const count = rows[0]?.count ?? 0;
  if (count <= most) return;
  const advice = 'log fewer names, or have WARREN_MAX_SERIES raised';
  throw badInput(`the run would have ${count} metrics; at most ${most} are kept: ${advice}`, 'series');
}

/** Which flush writes points. */
export interface PointFlush {
  runId: string;
  /** The run's `metric_cursor` of this flush. */
  cursor: number;
  /** How many series the run may have. */
  mostSeries?: number | undefined;
  /** Whether steps below 0 are taken, too. */
  negativeSteps?: boolean;
}

/**
 * Writes metric points of a run and brings the summaries of their series up to date. A point that is there already (same
 * name and step) stays as it is.
 * @returns How many points were new.
 * @throws WarrenError BAD_INPUT for steps and names that no series can have, and for too many series.
 */
export async function recordMetricPoints(
  connection: Connection,
  flush: PointFlush,
  points: readonly MetricPointInput[],
): Promise<number> {
  if (points.length === 0) return 0;
  const columns = pointColumns(points, flush.negativeSteps === true ? -LARGEST_STEP : 0);
  const created = await insertNewSeries(connection, flush, partBlocks(columns).loose);
  if (created.count > 0) await refuseManySeries(connection, flush.runId, flush.mostSeries ?? SERIES_PER_RUN);
  const rest = pointsBeside(columns, created.written);
  if (rest.steps.length === 0) return created.points;
  const { blocks, loose } = await partedPoints(connection, flush.runId, rest);
  const rows = await queryRows(connection, countRow)`
    WITH series AS MATERIALIZED (
      SELECT metric_series.id, metric_series.last_step, wanted.position
      FROM unnest(${columns.names}::text[]) WITH ORDINALITY AS wanted (name, position)
      JOIN metric_series ON metric_series.run_id = ${flush.runId}::uuid AND metric_series.name = wanted.name
    ), inserted AS (
      INSERT INTO metric_point (series_id, step, value, time, flush)
      SELECT series.id, point.step, point.value, to_timestamp(point.time / 1000.0), ${flush.cursor}::int
      FROM unnest(${numberArrayLiteral(loose.series)}::int8[], ${numberArrayLiteral(loose.steps)}::int8[],
        ${numberArrayLiteral(loose.values)}::float8[], ${numberArrayLiteral(loose.times)}::int8[])
        AS point (series, step, value, time)
      JOIN series ON series.position = point.series
      WHERE NOT (point.step <= series.last_step AND block_has(series.id, point.step))
      ON CONFLICT DO NOTHING
      RETURNING series_id, step, value, time
    ), ${packedSql(blocks, flush.cursor)}, summary AS (
      SELECT series_id, sum(points)::int AS points, max(last_step) AS last_step,
        (array_agg(last_value ORDER BY last_step DESC))[1] AS last_value,
        (array_agg(last_time ORDER BY last_step DESC))[1] AS last_time,
        min(minimum) AS minimum, max(maximum) AS maximum
      FROM (
        SELECT series_id, 1 AS points, step AS last_step, value AS last_value, time AS last_time,
          CASE WHEN value > '-Infinity' AND value < 'Infinity' THEN value END AS minimum,
          CASE WHEN value > '-Infinity' AND value < 'Infinity' THEN value END AS maximum
        FROM inserted UNION ALL SELECT * FROM packed
      ) written GROUP BY series_id
    ), updated AS (
      UPDATE metric_series SET point_count = point_count + summary.points,
        last_value = CASE WHEN ${IS_LAST} THEN summary.last_value ELSE metric_series.last_value END,
        last_time = CASE WHEN ${IS_LAST} THEN summary.last_time ELSE metric_series.last_time END,
        last_step = CASE WHEN ${IS_LAST} THEN summary.last_step ELSE metric_series.last_step END,
        minimum = least(metric_series.minimum, summary.minimum),
        maximum = greatest(metric_series.maximum, summary.maximum)
      FROM summary WHERE metric_series.id = summary.series_id
    )
    SELECT coalesce(sum(points), 0)::int AS count FROM summary`;
  return created.points + (rows[0]?.count ?? 0);
}

/** The CTE `packed`: blocks that are written, with what each adds to the summary of its series. */
function packedSql(blocks: NewBlocks, cursor: number): Prisma.Sql {
  if (blocks.series.length > 0) return Prisma.sql`packed AS (${insertBlocksSql(blocks, cursor)})`;
  return Prisma.sql`packed AS (SELECT NULL::int8, 0, NULL::int8, NULL::float8, NULL::timestamptz, NULL::float8, NULL::float8 WHERE false)`;
}
