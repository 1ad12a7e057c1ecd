import { z } from 'zod';
import type { Connection } from '#src/base/database/connection.ts';
import { idRow, queryRows } from '#src/base/database/queryRows.ts';
import { BLOCK_POINTS } from './pointBlocks.ts';

const looseRow = z.object({ id: z.string(), runId: z.string(), points: z.int(), settled: z.boolean() });
const packedRow = z.object({ id: z.string(), points: z.int() });

/** A series with points that are rows. */
export type LooseSeries = z.infer<typeof looseRow>;

/**
 * The next series with points that are rows, at most `limit`, by id after `after`; `settled` are those whose points may be
 * packed: the run has ended, the last point is a minute old by its time, or they fill a block.
 */
export async function listLooseSeries(connection: Connection, after: string, limit: number): Promise<LooseSeries[]> {
  return await queryRows(connection, looseRow)`
    WITH RECURSIVE loose AS (
      (SELECT series_id, 1 AS place FROM metric_point WHERE series_id > ${after}::text::int8 ORDER BY series_id LIMIT 1)
      UNION ALL
      SELECT (SELECT metric_point.series_id FROM metric_point WHERE metric_point.series_id > loose.series_id
        ORDER BY metric_point.series_id LIMIT 1), place + 1
      FROM loose WHERE loose.series_id IS NOT NULL AND place < ${limit}::int
    )
    SELECT series.id::text AS id, series.run_id AS "runId", series.point_count AS points,
      run.ended_at IS NOT NULL OR coalesce(series.last_time < now() - interval '1 minute', false)
        OR EXISTS (SELECT FROM metric_point WHERE series_id = series.id OFFSET ${BLOCK_POINTS - 1}::int) AS settled
    FROM loose CROSS JOIN LATERAL (SELECT * FROM metric_series WHERE id = loose.series_id) series
    JOIN run ON run.id = series.run_id ORDER BY series.id`;
}

/** Rows of a series that are packed in one statement. */
export const MOST_ROWS = 20_000;

/**
 * Packs rows of series of one run into blocks, or none where another transaction writes to the run.
 * @returns how many rows there were, and which series have more.
 */
export async function packSeries(
  connection: Connection,
  runId: string,
  ids: readonly string[],
): Promise<{ points: number; left: string[] }> {
  const locked = await queryRows(connection, idRow)`
    SELECT id FROM run WHERE id = ${runId}::uuid FOR NO KEY UPDATE SKIP LOCKED`;
  if (locked.length === 0) return { points: 0, left: [] };
  const rows = await queryRows(connection, packedRow)`
    SELECT given.id::text AS id, pack_points(given.id, ${BLOCK_POINTS}::int, ${MOST_ROWS}::int)::int AS points
    FROM unnest(${[...ids]}::text[]::int8[]) AS given (id)`;
  const left = rows.filter(({ points }) => points >= MOST_ROWS).map(({ id }) => id);
  return { points: rows.reduce((sum, { points }) => sum + points, 0), left };
}

/**
 * Packs all rows of series that have no blocks yet, of many runs in one statement; series with blocks, and those of runs to which
 * another transaction writes, are left alone.
 * @returns how many rows each series had that was packed, and the runs that were free.
 */
export async function packShortSeries(
  connection: Connection,
  series: readonly Pick<LooseSeries, 'id' | 'runId'>[],
): Promise<{ points: Map<string, number>; freeRuns: Set<string> }> {
  const runIds = [...new Set(series.map(({ runId }) => runId))];
  const locked = await queryRows(connection, idRow)`
    SELECT id FROM run WHERE id = ANY(${runIds}::uuid[]) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED`;
  const freeRuns = new Set(locked.map(({ id }) => id));
  const ids = series.flatMap(({ id, runId }) => (freeRuns.has(runId) ? [id] : []));
  if (ids.length === 0) return { points: new Map(), freeRuns };
  const rows = await queryRows(connection, packedRow)`
    SELECT id::text AS id, points::int AS points FROM pack_short_series(${ids}::text[]::int8[], ${BLOCK_POINTS}::int)`;
  return { points: new Map(rows.map(({ id, points }) => [id, points])), freeRuns };
}
