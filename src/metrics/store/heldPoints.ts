import { z } from 'zod';
import type { PointRange } from '#src/base/contracts/pointRange.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseText, numberArrayLiteral } from '#src/base/database/databaseText.ts';
import { queryRows } from '#src/base/database/queryRows.ts';

const heldRow = z.object({ place: z.int() });

/**
 * Which ranges a run holds exactly: the same points, no more and no fewer between their first and their last place, all values
 * of a step among them.
 * @returns The places of those that it holds, from 0.
 */
export async function heldRanges(
  connection: Connection,
  runId: string,
  ranges: readonly PointRange[],
): Promise<Set<number>> {
  if (ranges.length === 0) return new Set();
  const rows = await queryRows(connection, heldRow)`
    SELECT given.place::int - 1 AS place
    FROM unnest(${ranges.map(({ name }) => databaseText(name))}::text[],
        ${numberArrayLiteral(ranges.map(({ first }) => first.step))}::int8[],
        ${numberArrayLiteral(ranges.map(({ first }) => first.timeMs))}::int8[],
        ${numberArrayLiteral(ranges.map(({ last }) => last.step))}::int8[],
        ${numberArrayLiteral(ranges.map(({ last }) => last.timeMs))}::int8[],
        ${numberArrayLiteral(ranges.map(({ count }) => count))}::int8[],
        ${ranges.map(({ sha256 }) => sha256)}::text[])
      WITH ORDINALITY AS given (name, first_step, first_time, last_step, last_time, count, sha256, place)
    JOIN metric_series ON metric_series.run_id = ${runId}::uuid AND metric_series.name = given.name
    CROSS JOIN LATERAL (
      SELECT count(*) AS count,
        encode(sha256(string_agg(int8send(step) || int8send(time) || float8send(value), ''::bytea ORDER BY step, time, value)), 'hex')
          AS sha256
      FROM (
        SELECT logged.step, (extract(epoch FROM logged.time) * 1000)::int8 AS time, logged.value
        FROM (
          SELECT point.step, point.time, point.value
          FROM series_points(metric_series.id, given.first_step, given.last_step) point
          UNION ALL
          SELECT repeat.step, repeat.time, repeat.value FROM metric_repeat repeat
          WHERE repeat.series_id = metric_series.id AND repeat.step BETWEEN given.first_step AND given.last_step
        ) logged
        WHERE (logged.step, logged.time) >= (given.first_step, to_timestamp(given.first_time / 1000.0))
          AND (logged.step, logged.time) <= (given.last_step, to_timestamp(given.last_time / 1000.0))
        LIMIT given.count + 1
      ) limited
    ) held
    WHERE held.count = given.count AND held.sha256 = given.sha256`;
  return new Set(rows.map(({ place }) => place));
}
