import { z } from 'zod';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseText, numberArrayLiteral, parseNumberArray } from '#src/base/database/databaseText.ts';
import { countRow, queryRows } from '#src/base/database/queryRows.ts';
import type { MetricPointInput } from './pointColumns.ts';
import { type PointFlush, recordMetricPoints } from './recordMetricPoints.ts';

const numbers = z.string().transform(parseNumberArray);
const earlierRow = z.object({ places: numbers, times: numbers, values: numbers });

/** Whether `a` is newer than `b`: by time, and by value where both came at the same time. */
function isNewer(a: MetricPointInput, b: MetricPointInput): boolean {
  return a.timeMs === b.timeMs ? a.value > b.value : a.timeMs > b.timeMs;
}

function isSame(a: MetricPointInput, b: MetricPointInput): boolean {
  return a.timeMs === b.timeMs && Object.is(a.value, b.value);
}

/** Of each step of each metric the newest point, and the points beside it. */
function newestFirst(points: readonly MetricPointInput[]): { newest: MetricPointInput[]; others: MetricPointInput[] } {
  const series = new Map<string, Map<number, MetricPointInput>>();
  const others: MetricPointInput[] = [];
  for (const point of points) {
    const steps = series.get(point.name) ?? new Map<number, MetricPointInput>();
    series.set(point.name, steps);
    const known = steps.get(point.step);
    if (known === undefined) {
      steps.set(point.step, point);
    } else if (isNewer(point, known)) {
      others.push(known);
      steps.set(point.step, point);
    } else if (!isSame(point, known)) {
      others.push(point);
    }
  }
  return { newest: [...series.values()].flatMap((steps) => [...steps.values()]), others };
}

/**
 * Like `recordMetricPoints`, for clients that may log a step again, or a step below 0: every different (step, time, value) is
 * kept. The newest point of a step stands in its series; the others are what `readHistory` also tells.
 * For use while the run's row is locked.
 * @returns How many were new, those beside the newest of a step included.
 */
export async function recordRepeatedPoints(
  connection: Connection,
  flush: PointFlush,
  points: readonly MetricPointInput[],
): Promise<number> {
  const { newest, others } = newestFirst(points);
  const inserted = await recordMetricPoints(connection, { ...flush, negativeSteps: true }, newest);
  if (inserted < newest.length) {
    const earlier = await earlierPoints(connection, flush, newest);
    const replacing = newest.flatMap((point, index) => {
      const known = earlier.get(index);
      if (known === undefined || isSame(point, known)) return [];
      others.push(isNewer(point, known) ? known : point);
      return isNewer(point, known) ? [point] : [];
    });
    await replacePoints(connection, flush, replacing);
  }
  return inserted + (await insertRepeats(connection, flush.runId, others));
}

interface PointArrays {
  names: string[];
  steps: string;
  times: string;
  values: string;
}

function arraysOf(points: readonly MetricPointInput[]): PointArrays {
  return {
    names: points.map((point) => databaseText(point.name)),
    steps: numberArrayLiteral(points.map((point) => point.step)),
    times: numberArrayLiteral(points.map((point) => point.timeMs)),
    values: numberArrayLiteral(points.map((point) => point.value)),
  };
}

/** The points with the ids of their series, which are there. */
function givenSql(runId: string, points: readonly MetricPointInput[]): Prisma.Sql {
  const { names, steps, times, values } = arraysOf(points);
  return Prisma.sql`
    SELECT metric_series.id AS series_id, point.step, to_timestamp(point.time / 1000.0) AS time, point.value
    FROM unnest(${names}::text[], ${steps}::int8[], ${times}::int8[], ${values}::float8[])
      AS point (name, step, time, value)
    JOIN metric_series ON metric_series.run_id = ${runId}::uuid AND metric_series.name = point.name`;
}

/** What earlier flushes wrote at the steps of the points, by the place of the point. */
async function earlierPoints(
  connection: Connection,
  { runId, cursor }: PointFlush,
  points: readonly MetricPointInput[],
): Promise<Map<number, MetricPointInput>> {
  const { names, steps } = arraysOf(points);
  const rows = await queryRows(connection, earlierRow)`
    SELECT coalesce(array_agg(given.place), '{}')::text AS places,
      coalesce(array_agg((extract(epoch FROM point.time) * 1000)::int8), '{}')::text AS times,
      coalesce(array_agg(point.value), '{}')::text AS values
    FROM unnest(${names}::text[], ${steps}::int8[]) WITH ORDINALITY AS given (name, step, place)
    JOIN metric_series ON metric_series.run_id = ${runId}::uuid AND metric_series.name = given.name
    CROSS JOIN LATERAL series_points(metric_series.id, given.step, given.step) point
    WHERE point.flush <> ${cursor}::int`;
  const { places, times, values } = rows[0]!;
  return new Map(
    places.map((place, index) => {
      const { name, step } = points[place - 1]!;
      return [place - 1, { name, step, timeMs: times[index]!, value: values[index]! }];
    }),
  );
}

async function replacePoints(
  connection: Connection,
  { runId, cursor }: PointFlush,
  points: readonly MetricPointInput[],
): Promise<void> {
  if (points.length === 0) return;
  await connection.$executeRaw`
    SELECT loosen_points(given.series_id, given.step, given.step) FROM (${givenSql(runId, points)}) given`;
  await connection.$executeRaw`
    WITH given AS MATERIALIZED (${givenSql(runId, points)}), replaced AS (
      UPDATE metric_point SET value = given.value, time = given.time, flush = ${cursor}::int
      FROM given WHERE metric_point.series_id = given.series_id AND metric_point.step = given.step
    ), summary AS (
      SELECT series_id, min(value) FILTER (WHERE value > '-Infinity' AND value < 'Infinity') AS minimum,
        max(value) FILTER (WHERE value > '-Infinity' AND value < 'Infinity') AS maximum
      FROM given GROUP BY series_id
    ), last AS (
      SELECT DISTINCT ON (series_id) series_id, step, time, value FROM given ORDER BY series_id, step DESC
    )
    UPDATE metric_series SET
      last_value = CASE WHEN last.step = metric_series.last_step THEN last.value ELSE metric_series.last_value END,
      last_time = CASE WHEN last.step = metric_series.last_step THEN last.time ELSE metric_series.last_time END,
      minimum = least(metric_series.minimum, summary.minimum), maximum = greatest(metric_series.maximum, summary.maximum)
    FROM summary JOIN last USING (series_id) WHERE metric_series.id = summary.series_id`;
}

async function insertRepeats(
  connection: Connection,
  runId: string,
  points: readonly MetricPointInput[],
): Promise<number> {
  if (points.length === 0) return 0;
  const rows = await queryRows(connection, countRow)`
    WITH given AS MATERIALIZED (${givenSql(runId, points)}), stored AS (
      INSERT INTO metric_repeat (series_id, step, time, value) SELECT * FROM given ON CONFLICT DO NOTHING RETURNING 1
    ), summary AS (
      SELECT series_id, min(value) AS minimum, max(value) AS maximum
      FROM given WHERE value > '-Infinity' AND value < 'Infinity' GROUP BY series_id
    ), updated AS (
      UPDATE metric_series SET
        minimum = least(metric_series.minimum, summary.minimum), maximum = greatest(metric_series.maximum, summary.maximum)
      FROM summary WHERE metric_series.id = summary.series_id
    )
    SELECT count(*)::int AS count FROM stored`;
  return rows[0]?.count ?? 0;
}
