import { z } from 'zod';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { numberArrayLiteral, parseNullableNumberArray, parseNumberArray } from '#src/base/database/databaseText.ts';
import { queryRows } from '#src/base/database/queryRows.ts';

/** Points of one series in columns, by step. */
export interface PointColumns {
  seriesId: string;
  steps: number[];
  values: number[];
  /** Unix milliseconds. */
  times: number[];
}

/** Points with the extremes of the finite values in each bucket, NaN where a bucket has none. */
export interface BucketColumns extends PointColumns {
  minimum: number[];
  maximum: number[];
}

const numbers = z.string().transform(parseNumberArray);
const numbersOrNaN = z
  .string()
  .transform((literal) => parseNullableNumberArray(literal).map((value) => value ?? Number.NaN));
const columnsRow = z.object({ seriesId: z.string(), steps: numbers, values: numbers, times: numbers });
const bucketsRow = columnsRow.extend({ minimum: numbersOrNaN, maximum: numbersOrNaN });
const flushRow = z.object({ flush: z.int().nullable() });

/** Steps from `from` up to and with `to`. */
export interface StepRange {
  from: number;
  to: number;
}

/** Every step that there can be. */
export const ALL_STEPS: StepRange = { from: -(2 ** 53), to: 2 ** 53 };

/** Every point of the series in the range; those without points are left out. */
export async function readPoints(
  connection: Connection,
  seriesIds: readonly string[],
  { from, to }: StepRange = ALL_STEPS,
): Promise<PointColumns[]> {
  if (seriesIds.length === 0) return [];
  return await queryRows(connection, columnsRow)`
    SELECT series_id::text AS "seriesId", array_agg(step ORDER BY step)::text AS steps,
      array_agg(value ORDER BY step)::text AS values,
      array_agg((extract(epoch FROM time) * 1000)::int8 ORDER BY step)::text AS times
    FROM unnest(${[...seriesIds]}::text[]::int8[]) AS given (series_id) CROSS JOIN LATERAL series_points(given.series_id, ${String(from)}::text::int8, ${String(to)}::text::int8)
    GROUP BY series_id`;
}

/** Up to `limit` points of one series after a step: for reading a long series piece by piece. */
export async function readPointsAfter(
  connection: Connection,
  seriesId: string,
  range: { afterStep: number; limit: number },
): Promise<PointColumns> {
  const rows = await queryRows(connection, columnsRow)`
    SELECT ${seriesId} AS "seriesId", coalesce(array_agg(step), '{}')::text AS steps,
      coalesce(array_agg(value), '{}')::text AS values,
      coalesce(array_agg((extract(epoch FROM time) * 1000)::int8), '{}')::text AS times
    FROM (SELECT step, value, time FROM series_points(${seriesId}::text::int8, ${range.afterStep}::int8 + 1, coalesce((
        -- blocks up to here hold as many already
        SELECT min(last_step) FROM (
          SELECT last_step, sum(points) OVER (ORDER BY first_step) AS total FROM metric_block
          WHERE series_id = ${seriesId}::text::int8 AND first_step > ${range.afterStep}::int8
        ) counted WHERE total >= ${range.limit}::int), 9007199254740992))
      ORDER BY step LIMIT ${range.limit}::int) point`;
  return rows[0]!;
}

/** Points that flushes after `after`, up to and with `upTo`, wrote. */
export async function readFlushedPoints(
  connection: Connection,
  seriesIds: readonly string[],
  flushes: { after: number; upTo: number },
): Promise<PointColumns[]> {
  if (seriesIds.length === 0) return [];
  return await queryRows(connection, columnsRow)`
    SELECT series_id::text AS "seriesId", array_agg(step ORDER BY step)::text AS steps,
      array_agg(value ORDER BY step)::text AS values,
      array_agg((extract(epoch FROM time) * 1000)::int8 ORDER BY step)::text AS times
    FROM unnest(${[...seriesIds]}::text[]::int8[]) AS given (series_id)
    CROSS JOIN LATERAL flushed_points(given.series_id, ${flushes.after}::int, ${flushes.upTo}::int)
    GROUP BY series_id`;
}

/**
 * The last of the flushes after `after` that together hold at most `limit` points, and one flush at least; null when
 * nothing was flushed since.
 */
export async function lastFlushWithin(
  connection: Connection,
  seriesIds: readonly string[],
  range: { after: number; limit: number },
): Promise<number | null> {
  if (seriesIds.length === 0) return null;
  const rows = await queryRows(connection, flushRow)`
    SELECT max(flush) AS flush FROM (
      SELECT flush, sum(count(*)) OVER (ORDER BY flush) AS total, row_number() OVER (ORDER BY flush) AS position
      FROM unnest(${[...seriesIds]}::text[]::int8[]) AS given (series_id)
      CROSS JOIN LATERAL flushed_points(given.series_id, ${range.after}::int)
      GROUP BY flush
    ) flushed WHERE total <= ${range.limit}::int OR position = 1`;
  return rows[0]?.flush ?? null;
}

/** Blocks of a bucket from which on they are not parted: the summaries that they have are enough then. */
const WHOLE_BLOCKS = 2;
const FINITE = Prisma.sql`CASE WHEN value > '-Infinity' AND value < 'Infinity' THEN value END`;

/**
 * Series cut into at most `buckets` pieces of equally many steps: each piece's last step with the value and time there,
 * and the extremes of its finite values. Pieces without points are left out. Of a series with many blocks a piece, each
 * piece ends where a block does. Points that are rows are read once, in index order, whatever the planner knows of the table.
 * @param options.range Only these steps are cut into pieces; the last piece may reach a little beyond.
 */
export async function readBuckets(
  connection: Connection,
  series: readonly { id: string; lastStep: number }[],
  { buckets, range: { from, to } = ALL_STEPS }: { buckets: number; range?: StepRange },
): Promise<BucketColumns[]> {
  if (series.length === 0) return [];
  return await queryRows(connection, bucketsRow)`
    WITH wanted AS MATERIALIZED (
      SELECT given.id, given.last_step, greatest(${String(from)}::text::int8, least(loose.first_step, packed.first_step)) AS first_step,
        (given.last_step - greatest(${String(from)}::text::int8, least(loose.first_step, packed.first_step))) / ${buckets}::int8 + 1 AS width,
        loose.first_step IS NOT NULL AS has_loose, packed.blocks >= ${WHOLE_BLOCKS * buckets}::int AS whole
      FROM unnest(${series.map((one) => one.id)}::text[]::int8[],
        ${numberArrayLiteral(series.map((one) => Math.min(to, one.lastStep)))}::int8[]) AS given (id, last_step)
      CROSS JOIN LATERAL (SELECT min(step) AS first_step FROM metric_point WHERE series_id = given.id) loose
      CROSS JOIN LATERAL (SELECT min(first_step) AS first_step,
        count(*) FILTER (WHERE last_step >= ${String(from)}::text::int8 AND first_step <= given.last_step) AS blocks
        FROM metric_block WHERE series_id = given.id) packed
      WHERE given.last_step >= greatest(${String(from)}::text::int8, least(loose.first_step, packed.first_step))
    ), piece AS (
      SELECT wanted.id, bucket.number, last.step, last.value, last.time, extremes.minimum, extremes.maximum
      FROM wanted
      CROSS JOIN LATERAL generate_series(0, (wanted.last_step - wanted.first_step) / wanted.width) AS bucket (number)
      CROSS JOIN LATERAL (
        SELECT step, value, time FROM metric_point
        WHERE series_id = wanted.id AND step >= wanted.first_step + bucket.number * wanted.width
          AND step < wanted.first_step + (bucket.number + 1) * wanted.width
        ORDER BY step DESC LIMIT 1
      ) last
      CROSS JOIN LATERAL (
        SELECT min(${FINITE}) AS minimum, max(${FINITE}) AS maximum FROM metric_point
        WHERE series_id = wanted.id AND step >= wanted.first_step + bucket.number * wanted.width
          AND step < wanted.first_step + (bucket.number + 1) * wanted.width
      ) extremes
      WHERE wanted.has_loose
      UNION ALL
      SELECT wanted.id, (block.last_step - wanted.first_step) / wanted.width, block.last_step, block.last_value,
        block.last_time, block.minimum, block.maximum
      FROM wanted CROSS JOIN LATERAL (SELECT * FROM metric_block WHERE series_id = wanted.id
        AND last_step >= wanted.first_step AND first_step <= wanted.last_step) block WHERE wanted.whole
      UNION ALL
      SELECT wanted.id, bucket.number, block.first_step + (part.upper - 1) * block.stride, block.values[part.upper],
        block.first_time + coalesce(block.times[part.upper], block.wide_times[part.upper]) * interval '1 millisecond',
        CASE WHEN part.whole THEN block.minimum ELSE extremes.minimum END,
        CASE WHEN part.whole THEN block.maximum ELSE extremes.maximum END
      FROM wanted CROSS JOIN LATERAL (SELECT * FROM metric_block WHERE series_id = wanted.id AND steps IS NULL
        AND last_step >= wanted.first_step AND first_step <= wanted.last_step) block
      CROSS JOIN LATERAL generate_series(greatest(0, (block.first_step - wanted.first_step) / wanted.width),
        (least(block.last_step, wanted.last_step) - wanted.first_step) / wanted.width) AS bucket (number)
      CROSS JOIN LATERAL (
        SELECT lower, upper, lower = 1 AND upper = block.points AS whole FROM (
          SELECT greatest(0, (wanted.first_step + bucket.number * wanted.width - block.first_step + block.stride - 1)
              / block.stride)::int + 1 AS lower,
            least(block.points - 1, (wanted.first_step + (bucket.number + 1) * wanted.width - 1 - block.first_step)
              / block.stride)::int + 1 AS upper
        ) places
      ) part
      LEFT JOIN LATERAL (
        SELECT min(${FINITE}) AS minimum, max(${FINITE}) AS maximum
        FROM unnest(block.values[part.lower : part.upper]) AS one (value)
      ) extremes ON NOT part.whole
      WHERE NOT wanted.whole AND part.lower <= part.upper
      UNION ALL
      SELECT wanted.id, (step - wanted.first_step) / wanted.width, step, value, time, ${FINITE}, ${FINITE}
      FROM wanted CROSS JOIN LATERAL (SELECT * FROM metric_block WHERE series_id = wanted.id AND steps IS NOT NULL
        AND last_step >= wanted.first_step AND first_step <= wanted.last_step) block
      CROSS JOIN LATERAL block_points(block)
      WHERE NOT wanted.whole AND step >= wanted.first_step AND step <= wanted.last_step
    ), bucket AS (
      SELECT id, number, max(step) AS step, (array_agg(value ORDER BY step DESC))[1] AS value,
        (array_agg(time ORDER BY step DESC))[1] AS time, min(minimum) AS minimum, max(maximum) AS maximum
      FROM piece GROUP BY id, number
    )
    SELECT id::text AS "seriesId", array_agg(step ORDER BY number)::text AS steps,
      array_agg(value ORDER BY number)::text AS values,
      array_agg((extract(epoch FROM time) * 1000)::int8 ORDER BY number)::text AS times,
      array_agg(minimum ORDER BY number)::text AS minimum, array_agg(maximum ORDER BY number)::text AS maximum
    FROM bucket GROUP BY id`;
}
