import { Prisma } from '#src/generated/prisma/client.ts';
import { databaseText } from '#src/base/database/databaseText.ts';
import type { RunRange } from './runOrderSql.ts';
import { lastValueStandsSql } from './standingValueSql.ts';

/** Entries that are read in a metric's order: where a page has not come together after these, few runs are selected. */
const MOST_READ = 5_000;

/**
 * SQL for id, number and key of the next runs in the order of a metric, read from its index in that order: of the first runs that have
 * a number there, and none at all where a program has said which value stands for the metric. Null where the order, or the place in it,
 * is another.
 */
export function runsByLastValue(selected: Prisma.Sql, { keys, descending, after, first }: RunRange): Prisma.Sql | null {
  const name = keys[0]?.lastOf;
  const value = after?.keys[0];
  if (name === undefined || value === null) return null;
  const direction = Prisma.raw(descending ? 'DESC' : 'ASC');
  const beyond = Prisma.raw(descending ? '<' : '>');
  const place = Prisma.sql`${String(value)}::text::float8`;
  const from = after === null ? Prisma.sql`true` : Prisma.sql`last_value ${beyond}= ${place}`;
  const behind =
    after === null
      ? Prisma.sql`true`
      : Prisma.sql`(series.last_value <> ${place} OR run.number ${beyond} ${after.number}::int)`;
  return Prisma.sql`
    SELECT run.id, run.number, series.last_value AS k0
    FROM (
      SELECT run_id, last_value FROM metric_series
      WHERE name = ${databaseText(name)} AND point_count > 0 AND last_value < 'NaN'::float8 AND ${from}
      ORDER BY last_value ${direction} FETCH FIRST (${MOST_READ}::int) ROWS WITH TIES
    ) series JOIN run ON run.id = series.run_id
      LEFT JOIN configuration ON configuration.hash = run.configuration_hash
    WHERE ${lastValueStandsSql(name)} AND ${behind} AND ${selected}
    ORDER BY series.last_value ${direction}, run.number ${direction} LIMIT ${first}::int`;
}
