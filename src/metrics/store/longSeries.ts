import { z } from 'zod';
import type { Connection } from '#src/base/database/connection.ts';
import { idRow, queryRows } from '#src/base/database/queryRows.ts';
import { endedLongAgo } from '#src/base/database/endedLongAgo.ts';
import { BLOCK_POINTS } from './pointBlocks.ts';
import { MOST_ROWS } from './packPoints.ts';

const longRow = z.object({ id: z.string(), runId: z.string(), name: z.string(), points: z.int() });
/** A series that has more points than are to be kept. */
export type LongSeries = z.infer<typeof longRow>;
const keptRow = z.object({
  ...{ id: z.string(), steps: z.string(), values: z.string(), times: z.string(), flushes: z.string() },
  ...{ before: z.int(), points: z.int() },
});

/** The next series with more than `keep` points of runs that ended so long ago, by id after `after`. */
export async function listLongSeries(
  connection: Connection,
  { days, keep, after, limit }: { days: number; keep: number; after: string; limit: number },
): Promise<LongSeries[]> {
  return await queryRows(connection, longRow)`
    SELECT series.id::text AS id, series.run_id AS "runId", series.name, series.point_count AS points
    FROM metric_series series
    WHERE series.id > ${after}::text::int8 AND series.point_count > ${keep}::int
      AND EXISTS (SELECT FROM run WHERE run.id = series.run_id AND ${endedLongAgo(days)})
    ORDER BY series.id LIMIT ${limit}::int`;
}

/**
 * Thins series of one run that still has ended so long ago to at most `keep` points each, 10 or more: in each of equally large
 * parts the first least and the first greatest of the finite values, and of all the first point, the last one and the first
 * that is not finite. The last value and the extremes of a series stay what they are. Points beside the newest of a step go.
 * @returns how many points went of each that was thinned; nothing where another transaction holds the run.
 */
export async function thinSeries(
  connection: Connection,
  { runId, ids }: { runId: string; ids: readonly string[] },
  { days, keep }: { days: number; keep: number },
): Promise<number[]> {
  const locked = await queryRows(connection, idRow)`
    SELECT id FROM run WHERE id = ${runId}::uuid AND ${endedLongAgo(days)} FOR NO KEY UPDATE SKIP LOCKED`;
  if (locked.length === 0) return [];
  const parts = Math.floor((keep - 3) / 2);
  const kept = await queryRows(connection, keptRow)`
    WITH point AS (
      SELECT given.series_id, one.step, one.value, one.time, one.flush,
        CASE WHEN one.value > '-Infinity' AND one.value < 'Infinity' THEN one.value END AS finite,
        ntile(${parts}::int) OVER in_order AS part, row_number() OVER in_order AS place,
        count(*) OVER (PARTITION BY given.series_id) AS total
      FROM unnest(${[...ids]}::text[]::int8[]) AS given (series_id) CROSS JOIN LATERAL series_points(given.series_id) one
      WINDOW in_order AS (PARTITION BY given.series_id ORDER BY one.step)
    ), ranked AS (
      SELECT *, row_number() OVER (PARTITION BY series_id, part ORDER BY finite NULLS LAST, step) AS low,
        row_number() OVER (PARTITION BY series_id, part ORDER BY finite DESC NULLS LAST, step) AS high,
        row_number() OVER (PARTITION BY series_id, finite IS NULL ORDER BY step) AS nth
      FROM point WHERE total > ${keep}::int
    )
    SELECT series_id::text AS id, array_agg(step)::text AS steps, array_agg(value)::text AS values,
      array_agg((extract(epoch FROM time) * 1000)::int8)::text AS times, array_agg(flush)::text AS flushes,
      max(total)::int AS before, count(*)::int AS points
    FROM ranked WHERE low = 1 OR high = 1 OR place = 1 OR place = total OR (finite IS NULL AND nth = 1)
    GROUP BY series_id`;
  for (const { id, steps, values, times, flushes, points } of kept) {
    await connection.$executeRaw`DELETE FROM metric_block WHERE series_id = ${id}::text::int8`;
    await connection.$executeRaw`DELETE FROM metric_point WHERE series_id = ${id}::text::int8`;
    await connection.$executeRaw`DELETE FROM metric_repeat WHERE series_id = ${id}::text::int8`;
    await connection.$executeRaw`
      INSERT INTO metric_point (series_id, step, value, time, flush)
      SELECT ${id}::text::int8, step, value, to_timestamp(time / 1000.0), flush
      FROM unnest(${steps}::text::int8[], ${values}::text::float8[], ${times}::text::int8[], ${flushes}::text::int4[])
        AS one (step, value, time, flush)`;
    await connection.$executeRaw`
      SELECT pack_points(${id}::text::int8, ${BLOCK_POINTS}::int, ${MOST_ROWS}::int)`;
    await connection.$executeRaw`
      UPDATE metric_series SET point_count = ${points}::int WHERE id = ${id}::text::int8`;
  }
  return kept.map(({ before, points }) => before - points);
}
