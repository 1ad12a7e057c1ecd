import { z } from 'zod';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseText, parseNumberArray } from '#src/base/database/databaseText.ts';
import { queryRows } from '#src/base/database/queryRows.ts';

/** Every value that was logged, several at one step too, in columns. */
export interface HistoryColumns {
  steps: number[];
  values: number[];
  /** Unix milliseconds. */
  times: number[];
}

const numbers = z.string().transform(parseNumberArray);
const columnsRow = z.object({ steps: numbers, values: numbers, times: numbers });

/** All values of one metric of a run. */
function valuesSql(runId: string, metric: string): Prisma.Sql {
  const name = databaseText(metric);
  return Prisma.sql`
    SELECT point.step, point.value, point.time FROM metric_series CROSS JOIN LATERAL series_points(metric_series.id) point
    WHERE metric_series.run_id = ${runId}::uuid AND metric_series.name = ${name}
    UNION ALL
    SELECT point.step, point.value, point.time FROM metric_series JOIN metric_repeat point ON point.series_id = metric_series.id
    WHERE metric_series.run_id = ${runId}::uuid AND metric_series.name = ${name}`;
}

const COLUMNS = Prisma.sql`coalesce(array_agg(step), '{}')::text AS steps, coalesce(array_agg(value), '{}')::text AS values,
  coalesce(array_agg((extract(epoch FROM time) * 1000)::int8), '{}')::text AS times`;

/** Values of a metric by time, step and value: those after the first `offset`, at most `limit`, or all. */
export async function readHistory(
  connection: Connection,
  metric: { runId: string; name: string },
  { offset, limit }: { offset: number; limit: number | null },
): Promise<HistoryColumns> {
  const rows = await queryRows(connection, columnsRow)`
    SELECT ${COLUMNS} FROM (
      SELECT * FROM (${valuesSql(metric.runId, metric.name)}) logged
      ORDER BY time, step, value OFFSET ${offset}::int8 LIMIT ${limit}::int8) page`;
  return rows[0]!;
}

/**
 * At most `most` values of a metric by step, time and value, evenly taken from all between two steps: the first of each part
 * of equally many, and always the last.
 */
export async function sampleHistory(
  connection: Connection,
  metric: { runId: string; name: string },
  { most, steps }: { most: number; steps: { from: number; to: number } | null },
): Promise<HistoryColumns> {
  const between =
    steps === null ? Prisma.sql`true` : Prisma.sql`step BETWEEN ${steps.from}::int8 AND ${steps.to}::int8`;
  const rows = await queryRows(connection, columnsRow)`
    WITH logged AS (SELECT * FROM (${valuesSql(metric.runId, metric.name)}) one WHERE ${between}),
    parts AS (
      SELECT *, ntile(${most}::int) OVER in_order AS part, row_number() OVER in_order AS place, count(*) OVER () AS total
      FROM logged WINDOW in_order AS (ORDER BY step, time, value)
    ), firsts AS (
      SELECT DISTINCT ON (part) * FROM parts ORDER BY part, place
    ), taken AS (
      SELECT step, value, time, place FROM firsts
      WHERE part < ${most}::int OR total <= ${most}::int
      UNION
      SELECT step, value, time, place FROM parts WHERE place = total
    )
    SELECT ${COLUMNS} FROM (SELECT * FROM taken ORDER BY place) sorted`;
  return rows[0]!;
}
