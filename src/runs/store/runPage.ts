import { z } from 'zod';
import type { RunFilter } from '#src/base/contracts/runFilter/syntax.ts';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { countRow, float8, idRow, queryPage, queryRows } from '#src/base/database/queryRows.ts';
import { RUN_COLUMNS, type RunRecord, runRow } from './runRecord.ts';
import { asksForConfiguration } from './filterParts.ts';
import { runFilterSql, wholeFilterSql } from './runFilterSql.ts';
import { inGroupSql, type RunGroupKey } from './runGroupKey.ts';
import { databaseText } from '#src/base/database/databaseText.ts';
import { type RunRange, afterSql, type OrderPosition, orderBySql } from './runOrderSql.ts';
import { lastValueStandsSql } from './standingValueSql.ts';

/** Entries that are read in a metric's order: where a page has not come together after these, few runs are selected. */
const MOST_READ = 5_000;

/**
 * SQL for id, number and key of the next runs in the order of a metric, read from its index in that order: of the first runs that have
 * a number there, and none at all where a program has said which value stands for the metric. Null where the order, or the place in it,
 * is another.
 */
function runsByLastValue(selected: Prisma.Sql, { keys, descending, after, first }: RunRange): Prisma.Sql | null {
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

const orderKey = z.union([float8, z.string()]).nullish();
const pageRow = runRow.extend({ k0: orderKey, k1: orderKey });

/** Which runs: those that meet everything given. */
export interface RunSelection {
  projectId: string | null;
  configurationHash: string | null;
  filter: RunFilter | null;
  /** Those in the trash, or those that are not. */
  inTrash: boolean;
  /** Those of one group; all unless given. */
  group?: RunGroupKey | undefined;
}

export interface PlacedRun {
  run: RunRecord;
  position: OrderPosition;
}

/** Whether a row of `run` with its `configuration` is selected. */
export function selectionSql(selection: RunSelection): Prisma.Sql {
  const tests = [unfilteredSql(selection)];
  if (selection.filter !== null) tests.push(wholeFilterSql(selection.filter));
  return Prisma.join(tests, ' AND ');
}

/** As `selectionSql`, but for the filter. */
function unfilteredSql(selection: RunSelection): Prisma.Sql {
  const tests = [Prisma.raw(`run.deleted_at IS ${selection.inTrash ? 'NOT ' : ''}NULL`)];
  if (selection.projectId !== null) tests.push(Prisma.sql`run.project_id = ${selection.projectId}::uuid`);
  if (selection.configurationHash !== null) {
    tests.push(Prisma.sql`run.configuration_hash = ${selection.configurationHash}`);
  }
  if (selection.group !== undefined) tests.push(inGroupSql(selection.group));
  return Prisma.join(tests, ' AND ');
}

/** The tables of `selectionSql`. Each run has its configuration; a left join is left out by PostgreSQL where nothing looks at it. */
export const SELECTED_FROM = Prisma.sql`FROM run LEFT JOIN configuration ON configuration.hash = run.configuration_hash`;

/**
 * The next runs of a selection in an order, with the position of each. By a metric they are read in its order, which most pages
 * need no more than; runs that lack it come with all others.
 */
export async function selectRunPage(
  connection: Connection,
  selection: RunSelection,
  range: RunRange,
): Promise<PlacedRun[]> {
  const byValue = runsByLastValue(selectionSql(selection), range);
  const page = byValue === null ? [] : await widenPage(connection, range, byValue);
  if (byValue !== null && page.length === range.first) return page;
  return await widenPage(connection, range, nearRuns(selection, range) ?? sortedRuns(selection, range));
}

/** Runs that are looked at one by one before the configurations are. */
const LEAST_NEAR = 500;

/**
 * As `sortedRuns`, for a filter that looks at configurations, in the order of numbers; null for others. To decide it for every
 * configuration costs more than most pages need, which come together among the next runs: so these are looked at first, at most a
 * quarter as many as there are configurations, and all only where they do not make a page.
 */
function nearRuns(selection: RunSelection, range: RunRange): Prisma.Sql | null {
  const { keys, descending, after, first } = range;
  const { filter } = selection;
  if (filter === null || keys.length > 0 || !asksForConfiguration(filter) || first === 0) return null;
  const tests = [unfilteredSql(selection)];
  if (after !== null) tests.push(afterSql(keys, descending, after));
  // `OFFSET 0` keeps PostgreSQL from reading all configurations for a join
  const lookedUp = Prisma.sql`(SELECT * FROM configuration WHERE configuration.hash = run.configuration_hash OFFSET 0) configuration`;
  const order = orderBySql(keys, descending);
  return Prisma.sql`
    WITH near AS MATERIALIZED (
      SELECT run.id, run.number FROM (
        SELECT run.* ${SELECTED_FROM} WHERE ${Prisma.join(tests, ' AND ')} ORDER BY ${order}
        LIMIT (SELECT greatest(${LEAST_NEAR}::int, reltuples::int / 4) FROM pg_class WHERE oid = 'configuration'::regclass)
      ) run LEFT JOIN LATERAL ${lookedUp} ON true
      WHERE ${runFilterSql(filter)} ORDER BY ${order} LIMIT ${first}::int
    ), made AS MATERIALIZED (SELECT count(*) = ${first}::int AS page FROM near)
    SELECT id, number FROM near WHERE (SELECT page FROM made)
    UNION ALL
    SELECT id, number FROM (${sortedRuns(selection, range)}) every WHERE NOT (SELECT page FROM made)`;
}

/** Id, number and keys of the next runs, from all that are selected. */
function sortedRuns(selection: RunSelection, { keys, descending, after, first }: RunRange): Prisma.Sql {
  const columns = keys.map(({ expression }, index) => Prisma.sql`, ${expression} AS ${Prisma.raw(`k${index}`)}`);
  const keyColumns = columns.length === 0 ? Prisma.empty : Prisma.join(columns, '');
  const joins = Prisma.join([SELECTED_FROM, ...keys.flatMap((key) => key.join ?? [])], ' ');
  const tests = [selectionSql(selection)];
  if (after !== null) tests.push(afterSql(keys, descending, after));
  return Prisma.sql`SELECT run.id, run.number${keyColumns} ${joins} WHERE ${Prisma.join(tests, ' AND ')}
    ORDER BY ${orderBySql(keys, descending)} LIMIT ${first}::int`;
}

/** Narrow rows are sorted, then widened: one by one, for PostgreSQL would rather read all runs than look up a hundred. */
async function widenPage(
  connection: Connection,
  { keys, descending }: RunRange,
  narrow: Prisma.Sql,
): Promise<PlacedRun[]> {
  const rows = await queryPage(connection, pageRow)`
    SELECT ${RUN_COLUMNS}${Prisma.raw(keys.map((_, index) => `, page.k${index}`).join(''))}
    FROM (${narrow}) page CROSS JOIN LATERAL (SELECT * FROM run WHERE run.id = page.id OFFSET 0) run
    ORDER BY ${orderBySql(keys, descending)}`;
  // the rows as they are: a copy without the keys is slow to make, and its fields slow to read
  return rows.map((run) => ({
    run,
    position: { number: run.number, keys: [run.k0 ?? null, run.k1 ?? null].slice(0, keys.length) },
  }));
}

/** Ids of the runs of a selection, the oldest first, at most `limit`. */
export async function listSelectedIds(
  connection: Connection,
  selection: RunSelection,
  limit: number,
): Promise<string[]> {
  const rows = await queryRows(connection, idRow)`
    SELECT run.id ${SELECTED_FROM} WHERE ${selectionSql(selection)} ORDER BY run.number LIMIT ${limit}::int`;
  return rows.map((row) => row.id);
}

/** How many runs a selection has. */
export async function countSelectedRuns(connection: Connection, selection: RunSelection): Promise<number> {
  const rows = await queryRows(connection, countRow)`
    SELECT count(*)::int AS count ${SELECTED_FROM} WHERE ${selectionSql(selection)}`;
  return rows[0]?.count ?? 0;
}
