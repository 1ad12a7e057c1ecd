import { z } from 'zod';
import type { Connection } from '../database/connection.ts';
import { numberArrayLiteral, parseNullableNumberArray, parseNumberArray } from '../database/databaseText.ts';
import { queryRows } from '../database/queryRows.ts';

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

/** Every point of the series; those without points are left out. */
export async function readPoints(connection: Connection, seriesIds: readonly string[]): Promise<PointColumns[]> {
  if (seriesIds.length === 0) return [];
  return await queryRows(connection, columnsRow)`
    SELECT series_id::text AS "seriesId", array_agg(step ORDER BY step)::text AS steps,
      array_agg(value ORDER BY step)::text AS values,
      array_agg((extract(epoch FROM time) * 1000)::int8 ORDER BY step)::text AS times
    FROM metric_point WHERE series_id = ANY(${[...seriesIds]}::text[]::int8[]) GROUP BY series_id`;
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
    FROM (SELECT step, value, time FROM metric_point
      WHERE series_id = ${seriesId}::text::int8 AND step > ${range.afterStep}::int8
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
    FROM metric_point
    WHERE series_id = ANY(${[...seriesIds]}::text[]::int8[]) AND flush > ${flushes.after}::int
      AND flush <= ${flushes.upTo}::int
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
      FROM metric_point WHERE series_id = ANY(${[...seriesIds]}::text[]::int8[]) AND flush > ${range.after}::int
      GROUP BY flush
    ) flushed WHERE total <= ${range.limit}::int OR position = 1`;
  return rows[0]?.flush ?? null;
}

/**
 * Series cut into at most `buckets` pieces of equally many steps: each piece's last step with the value and time there,
 * and the extremes of its finite values. Pieces without points are left out. Every point is read once, in index order,
 * whatever the planner knows of the table.
 */
export async function readBuckets(
  connection: Connection,
  series: readonly { id: string; lastStep: number }[],
  buckets: number,
): Promise<BucketColumns[]> {
  if (series.length === 0) return [];
  return await queryRows(connection, bucketsRow)`
    SELECT wanted.id::text AS "seriesId", columns.*
    FROM (
      SELECT given.id, first.step AS first_step,
        given.last_step,
        (given.last_step - first.step) / ${buckets}::int8 + 1 AS width
      FROM unnest(${series.map((one) => one.id)}::text[]::int8[],
        ${numberArrayLiteral(series.map((one) => one.lastStep))}::int8[]) AS given (id, last_step)
      CROSS JOIN LATERAL (SELECT min(step) AS step FROM metric_point WHERE series_id = given.id) first
    ) wanted CROSS JOIN LATERAL (
      SELECT array_agg(last.step ORDER BY bucket.number)::text AS steps,
        array_agg(last.value ORDER BY bucket.number)::text AS values,
        array_agg((extract(epoch FROM last.time) * 1000)::int8 ORDER BY bucket.number)::text AS times,
        array_agg(extremes.minimum ORDER BY bucket.number)::text AS minimum,
        array_agg(extremes.maximum ORDER BY bucket.number)::text AS maximum
      FROM generate_series(0, (wanted.last_step - wanted.first_step) / wanted.width) AS bucket (number)
      CROSS JOIN LATERAL (
        SELECT step, value, time FROM metric_point
        WHERE series_id = wanted.id AND step >= wanted.first_step + bucket.number * wanted.width
          AND step < wanted.first_step + (bucket.number + 1) * wanted.width
        ORDER BY step DESC LIMIT 1
      ) last
      CROSS JOIN LATERAL (
        SELECT min(value) FILTER (WHERE value > '-Infinity' AND value < 'Infinity') AS minimum,
          max(value) FILTER (WHERE value > '-Infinity' AND value < 'Infinity') AS maximum
        FROM metric_point
        WHERE series_id = wanted.id AND step >= wanted.first_step + bucket.number * wanted.width
          AND step < wanted.first_step + (bucket.number + 1) * wanted.width
      ) extremes
    ) columns WHERE columns.steps IS NOT NULL`;
}
