import { z } from 'zod';
import type { Connection } from '#src/base/database/connection.ts';
import { queryRows } from '#src/base/database/queryRows.ts';

/** Points in one statement: a million would come near the longest time that a statement may take. */
const CHUNK = 200_000;

/**
 * Gives a run without points those of another up to a step, with what its program said of its metrics; `system/*`, which is
 * about a machine, is left out. The points stay in the database: nothing is read into memory.
 * @returns how many there were.
 */
export async function copyPoints(
  connection: Connection,
  { from, to, step }: { from: string; to: string; step: number },
): Promise<number> {
  await connection.$executeRaw`
    INSERT INTO metric_series (run_id, name)
    SELECT ${to}::uuid, name FROM metric_series WHERE run_id = ${from}::uuid AND name NOT LIKE 'system/%'
      AND EXISTS (SELECT FROM series_points(metric_series.id, to_step => ${step}::int8))`;
  let copied = 0;
  for (let after: Chunk | undefined = FIRST; after !== undefined; ) {
    const [chunk]: Chunk[] = await copyChunk(connection, { from, to, step }, after);
    copied += chunk?.points ?? 0;
    after = chunk !== undefined && chunk.points === CHUNK ? chunk : undefined;
  }
  await sumUp(connection, to);
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

/** Points that were copied in one go, and the last of them: whole numbers as text. */
const chunkRow = z.object({ points: z.int(), series: z.string(), step: z.string() });
type Chunk = z.infer<typeof chunkRow>;

const FIRST: Chunk = { points: 0, series: '0', step: '-1' };

async function copyChunk(
  connection: Connection,
  { from, to, step }: { from: string; to: string; step: number },
  after: Chunk,
): Promise<Chunk[]> {
  return await queryRows(connection, chunkRow)`
    WITH chunk AS MATERIALIZED (
      SELECT target.id AS target, source.id AS series_id, point.step, point.value, point.time FROM metric_series source
      JOIN metric_series target ON target.run_id = ${to}::uuid AND target.name = source.name
      CROSS JOIN LATERAL series_points(source.id, to_step => ${step}::int8) point
      WHERE source.run_id = ${from}::uuid
        AND (source.id, point.step) > (${after.series}::text::int8, ${after.step}::text::int8)
      ORDER BY source.id, point.step LIMIT ${CHUNK}::int
    ), written AS (
      INSERT INTO metric_point (series_id, step, value, time, flush) SELECT target, step, value, time, 1 FROM chunk
    )
    SELECT (SELECT count(*)::int FROM chunk) AS points, series_id::text AS series, step::text AS step FROM chunk
    ORDER BY series_id DESC, step DESC LIMIT 1`;
}

async function sumUp(connection: Connection, runId: string): Promise<void> {
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
      WHERE series.run_id = ${runId}::uuid GROUP BY series.id
    ) summary WHERE metric_series.id = summary.id`;
}
