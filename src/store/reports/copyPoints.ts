import type { Connection } from '../database/connection.ts';

/**
 * Gives a run without points those of another up to a step, with what its program said of its metrics; `system/*`, which is
 * about a machine, is left out. The points stay in the database: nothing is read into memory.
 * @returns how many there were.
 */
export async function copyPoints(
  connection: Connection,
  { from, to, step }: { from: string; to: string; step: number },
): Promise<number> {
  const copied = await connection.$executeRaw`
    WITH source AS (
      SELECT id, name FROM metric_series WHERE run_id = ${from}::uuid AND name NOT LIKE 'system/%'
        AND EXISTS (SELECT FROM metric_point WHERE series_id = metric_series.id AND step <= ${step}::int8)
    ), target AS (
      INSERT INTO metric_series (run_id, name) SELECT ${to}::uuid, name FROM source RETURNING id, name
    )
    INSERT INTO metric_point (series_id, step, value, time, flush)
    SELECT target.id, point.step, point.value, point.time, 1
    FROM source JOIN target ON target.name = source.name
    JOIN metric_point point ON point.series_id = source.id AND point.step <= ${step}::int8`;
  await connection.$executeRaw`
    UPDATE metric_series SET point_count = summary.points, last_step = summary.last_step,
      minimum = summary.minimum, maximum = summary.maximum,
      (last_value, last_time) =
        (SELECT value, time FROM metric_point WHERE series_id = metric_series.id AND step = summary.last_step)
    FROM (
      SELECT series.id, count(*)::int AS points, max(step) AS last_step,
        min(value) FILTER (WHERE value > '-Infinity' AND value < 'Infinity') AS minimum,
        max(value) FILTER (WHERE value > '-Infinity' AND value < 'Infinity') AS maximum
      FROM metric_series series JOIN metric_point ON series_id = series.id
      WHERE series.run_id = ${to}::uuid GROUP BY series.id
    ) summary WHERE metric_series.id = summary.id`;
  await connection.$executeRaw`
    INSERT INTO metric_repeat (series_id, step, time, value)
    SELECT target.id, repeat.step, repeat.time, repeat.value
    FROM metric_series source JOIN metric_series target ON target.run_id = ${to}::uuid AND target.name = source.name
    JOIN metric_repeat repeat ON repeat.series_id = source.id AND repeat.step <= ${step}::int8
    WHERE source.run_id = ${from}::uuid`;
  await connection.$executeRaw`
    INSERT INTO metric_definition (run_id, name, step_metric, summary, goal)
    SELECT ${to}::uuid, name, step_metric, summary, goal FROM metric_definition WHERE run_id = ${from}::uuid`;
  await connection.$executeRaw`UPDATE run SET metric_cursor = 1 WHERE id = ${to}::uuid`;
  return copied;
}
