import { z } from 'zod';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { numberArrayLiteral } from '#src/base/database/databaseText.ts';
import { queryRows } from '#src/base/database/queryRows.ts';
import { type NewBlocks, partBlocks } from './pointBlocks.ts';
import type { NewPoints } from './pointColumns.ts';

const lateRow = z.object({ series: z.int() });

/**
 * Parts points of a run, whose series are there, into blocks and rows: series with many points that all come after those that
 * it has become blocks. For use while the run's row is locked.
 */
export async function partedPoints(
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
export function insertBlocksSql(blocks: NewBlocks, flush: number): Prisma.Sql {
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
