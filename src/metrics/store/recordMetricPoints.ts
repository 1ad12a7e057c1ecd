import { badInput } from '#src/base/contracts/errors.ts';
import { SERIES_PER_RUN } from '#src/base/contracts/reports.ts';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { numberArrayLiteral } from '#src/base/database/databaseText.ts';
import { countRow, queryRows } from '#src/base/database/queryRows.ts';
import { insertNewSeries, pointsBeside } from './newSeries.ts';
import { insertBlocksSql, partedPoints } from './partedPoints.ts';
import { type NewBlocks, partBlocks } from './pointBlocks.ts';
import { LARGEST_STEP, type MetricPointInput, pointColumns } from './pointColumns.ts';

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
