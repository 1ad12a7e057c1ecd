import { badInput } from '#src/contracts/errors.ts';
import { SERIES_PER_RUN } from '#src/contracts/reports.ts';
import { isStorableTime } from '#src/contracts/storableTime.ts';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '../database/connection.ts';
import { databaseText, numberArrayLiteral } from '../database/databaseText.ts';
import { countRow, queryRows } from '../database/queryRows.ts';

export interface MetricPointInput {
  name: string;
  /** 0 to 2⁵³, or from −2⁵³ where negative ones are taken. */
  step: number;
  /** May be NaN or infinite. */
  value: number;
  /** Unix milliseconds. */
  timeMs: number;
}

const LARGEST_STEP = 2 ** 53;
/** A B-tree entry of the name must fit in a page. */
const LONGEST_NAME = 500;

/** Columns of points, series by number; doubles of (series, step) left out, the first wins. */
interface Columns {
  names: string[];
  series: number[];
  steps: number[];
  values: number[];
  times: number[];
}

function toColumns(points: readonly MetricPointInput[], smallestStep: number): Columns {
  const columns: Columns = { names: [], series: [], steps: [], values: [], times: [] };
  const known = new Map<string, { index: number; steps: Set<number> }>();
  for (const { name, step, value, timeMs } of points) {
    if (!Number.isInteger(step) || step < smallestStep || step > LARGEST_STEP) {
      const from = smallestStep === 0 ? '0' : '-2^53';
      throw badInput(`metric ${name}: step ${step} is no whole number from ${from} to 2^53`, 'step');
    }
    if (!isStorableTime(timeMs)) {
      throw badInput(`metric ${name}: time ${timeMs} is no Unix time in milliseconds up to the year 9999`, 'time');
    }
    let series = known.get(name);
    if (series === undefined) {
      if (name.length === 0 || name.length > LONGEST_NAME) {
        throw badInput(`a metric's name has 1 to ${LONGEST_NAME} characters, not ${name.length}`, 'name');
      }
      series = { index: columns.names.push(databaseText(name)), steps: new Set() };
      known.set(name, series);
    }
    if (series.steps.has(step)) continue;
    series.steps.add(step);
    columns.series.push(series.index);
    columns.steps.push(step);
    columns.values.push(value);
    columns.times.push(Math.round(timeMs));
  }
  return columns;
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
  const columns = toColumns(points, flush.negativeSteps === true ? -LARGEST_STEP : 0);
  const created = await connection.$executeRaw`
    INSERT INTO metric_series (run_id, name)
    SELECT ${flush.runId}::uuid, name FROM unnest(${columns.names}::text[]) name
    WHERE NOT EXISTS (SELECT FROM metric_series known WHERE known.run_id = ${flush.runId}::uuid AND known.name = name.name)
    ON CONFLICT DO NOTHING`;
  if (created > 0) await refuseManySeries(connection, flush.runId, flush.mostSeries ?? SERIES_PER_RUN);
  const rows = await queryRows(connection, countRow)`
    WITH series AS MATERIALIZED (
      SELECT metric_series.id, wanted.position
      FROM unnest(${columns.names}::text[]) WITH ORDINALITY AS wanted (name, position)
      JOIN metric_series ON metric_series.run_id = ${flush.runId}::uuid AND metric_series.name = wanted.name
    ), inserted AS (
      INSERT INTO metric_point (series_id, step, value, time, flush)
      SELECT series.id, point.step, point.value, to_timestamp(point.time / 1000.0), ${flush.cursor}::int
      FROM unnest(${numberArrayLiteral(columns.series)}::int8[], ${numberArrayLiteral(columns.steps)}::int8[],
        ${numberArrayLiteral(columns.values)}::float8[], ${numberArrayLiteral(columns.times)}::int8[])
        AS point (series, step, value, time)
      JOIN series ON series.position = point.series
      ON CONFLICT DO NOTHING
      RETURNING series_id, step, value, time
    ), summary AS (
      SELECT series_id, count(*)::int AS points, max(step) AS last_step,
        (array_agg(value ORDER BY step DESC))[1] AS last_value,
        (array_agg(time ORDER BY step DESC))[1] AS last_time,
        min(value) FILTER (WHERE value > '-Infinity' AND value < 'Infinity') AS minimum,
        max(value) FILTER (WHERE value > '-Infinity' AND value < 'Infinity') AS maximum
      FROM inserted GROUP BY series_id
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
  return rows[0]?.count ?? 0;
}
