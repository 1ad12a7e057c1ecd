import type { Connection } from '#src/base/database/connection.ts';
import { idRow, queryRows } from '#src/base/database/queryRows.ts';

/**
 * Removes the metric points and media that a run has after a step, so that an attempt that goes on from there writes them
 * anew; `system/*`, which counts seconds from the first start, stays. Summaries of the series follow; empty series go. The
 * contents of the media stay until the run is deleted: most of them come again.
 * @param afterStep -1 removes all.
 */
export async function removeLaterPoints(connection: Connection, runId: string, afterStep: number): Promise<void> {
  await connection.$executeRaw`DELETE FROM media WHERE run_id = ${runId}::uuid AND step > ${afterStep}::int8`;
  await connection.$executeRaw`
    DELETE FROM metric_repeat USING metric_series
    WHERE metric_series.id = metric_repeat.series_id AND metric_series.run_id = ${runId}::uuid
      AND metric_series.name NOT LIKE 'system/%' AND metric_repeat.step > ${afterStep}::int8`;
  const packed = await queryRows(connection, idRow)`
    WITH removed AS (
      DELETE FROM metric_block USING metric_series
      WHERE metric_series.id = metric_block.series_id AND metric_series.run_id = ${runId}::uuid
        AND metric_series.name NOT LIKE 'system/%' AND metric_block.first_step > ${afterStep}::int8
      RETURNING metric_block.series_id
    )
    SELECT DISTINCT series_id::text AS id FROM removed`;
  await connection.$executeRaw`
    SELECT loosen_points(metric_series.id, ${afterStep}::int8 + 1) FROM metric_series
    WHERE metric_series.run_id = ${runId}::uuid AND metric_series.name NOT LIKE 'system/%'`;
  const loose = await queryRows(connection, idRow)`
    WITH removed AS (
      DELETE FROM metric_point USING metric_series
      WHERE metric_series.id = metric_point.series_id AND metric_series.run_id = ${runId}::uuid
        AND metric_series.name NOT LIKE 'system/%' AND metric_point.step > ${afterStep}::int8
      RETURNING metric_point.series_id
    )
    SELECT DISTINCT series_id::text AS id FROM removed`;
  const ids = [...new Set([...packed, ...loose].map(({ id }) => id))];
  if (ids.length === 0) return;
  await connection.$executeRaw`
    WITH summary AS (
      SELECT series_id, count(*)::int AS points, max(step) AS last_step,
        (array_agg(value ORDER BY step DESC))[1] AS last_value,
        (array_agg(time ORDER BY step DESC))[1] AS last_time,
        min(value) FILTER (WHERE value > '-Infinity' AND value < 'Infinity') AS minimum,
        max(value) FILTER (WHERE value > '-Infinity' AND value < 'Infinity') AS maximum
      FROM unnest(${ids}::text[]::int8[]) AS given (series_id) CROSS JOIN LATERAL series_points(given.series_id)
      GROUP BY series_id
    )
    UPDATE metric_series SET point_count = summary.points, last_step = summary.last_step,
      last_value = summary.last_value, last_time = summary.last_time, minimum = summary.minimum, maximum = summary.maximum
    FROM summary WHERE metric_series.id = summary.series_id`;
  await connection.$executeRaw`
    DELETE FROM metric_series WHERE id = ANY(${ids}::text[]::int8[])
      AND NOT EXISTS (SELECT FROM series_points(metric_series.id))`;
}
