import { Prisma } from '#src/generated/prisma/client.ts';
import { databaseText } from '../database/databaseText.ts';
import type { RunRange } from './runOrderSql.ts';
import { lastValueStandsSql } from './standingValueSql.ts';

/**
 * SQL for id, number and key of the next runs in the order of a metric, read from its index in that order: of runs that have a number
 * there, and none at all where a program has said which value stands for the metric. Null where the order, or the place in it, is
 * another.
 */
export function runsByLastValue(selected: Prisma.Sql, { keys, descending, after, first }: RunRange): Prisma.Sql | null {
  const name = keys[0]?.lastOf;
  const value = after?.keys[0];
  if (name === undefined || value === null) return null;
  const [direction, beyond] = descending ? (['DESC', '<'] as const) : (['ASC', '>'] as const);
  const rest =
    after === null
      ? Prisma.sql`true`
      : Prisma.sql`series.last_value ${Prisma.raw(`${beyond}=`)} ${String(value)}::text::float8
          AND (series.last_value <> ${String(value)}::text::float8 OR run.number ${Prisma.raw(beyond)} ${after.number}::int)`;
  return Prisma.sql`
    SELECT run.id, run.number, series.last_value AS k0
    FROM metric_series series JOIN run ON run.id = series.run_id
      LEFT JOIN configuration ON configuration.hash = run.configuration_hash
    WHERE series.name = ${databaseText(name)} AND series.point_count > 0 AND series.last_value < 'NaN'::float8
      AND ${lastValueStandsSql(name)} AND ${rest} AND ${selected}
    ORDER BY series.last_value ${Prisma.raw(direction)}, run.number ${Prisma.raw(direction)} LIMIT ${first}::int`;
}
