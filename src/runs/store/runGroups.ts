import { z } from 'zod';
import type { GroupField } from '#src/base/contracts/runFilter/groupField.ts';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseText, parseNullableNumberArray, parseNumberArray } from '#src/base/database/databaseText.ts';
import { queryPage } from '#src/base/database/queryRows.ts';
import { type Grouping, placedRunsSql } from './groupedRunsSql.ts';
import { groupJoins, groupKeySql } from './runGroupKey.ts';
import { type RunSelection, SELECTED_FROM, selectionSql } from './runPage.ts';

type Sql = Prisma.Sql;
export const AGGREGATES = [
  'n',
  'mean',
  'standardDeviation',
  'standardError',
  'low',
  'high',
  'minimum',
  'maximum',
] as const;
export type Aggregate = (typeof AGGREGATES)[number];

/** Groups are ordered by their runs, by their key, or by an aggregate of one of the values; then by their key. */
export interface GroupOrder {
  by: 'runs' | 'key' | Aggregate;
  /** Which value an aggregate is of. */
  value: number;
  descending: boolean;
}

export interface GroupPosition {
  /** What the group is ordered by: a number as text; null where it has none. */
  place: string | null;
  key: string;
}

export interface GroupRange {
  order: GroupOrder;
  after: GroupPosition | null;
  first: number;
  /** Student's quantiles for 95 % by degrees of freedom from 1, for an order by the ends of intervals. */
  quantiles: readonly number[];
}

/** Over the runs of a group that have the value. */
export interface ValueAggregates {
  n: number;
  /** NaN or infinite where a value is, or where one is beyond 10¹⁴⁰; null without values. */
  mean: number | null;
  /** Sample standard deviation; null for fewer than two values. */
  deviation: number | null;
  /** Extremes of the values that are numbers; null without any. */
  minimum: number | null;
  maximum: number | null;
}

export interface GroupRow {
  position: GroupPosition;
  runCount: number;
  /** The configuration that all of its runs share; null where they do not. */
  configurationHash: string | null;
  values: ValueAggregates[];
}

export interface GroupPage {
  groups: GroupRow[];
  groupCount: number;
  /** Runs in all groups; one with several tags counts for each where they are grouped by tag. */
  runCount: number;
  /** The extremes of the finite means over all groups, one a value. */
  leastMeans: (number | null)[];
  greatestMeans: (number | null)[];
}

const numbers = z.string().transform(parseNullableNumberArray);
const groupRow = z.object({
  key: z.string(),
  place: z.string().nullable(),
  runs: z.int(),
  hash: z.string().nullable(),
  n: numbers,
  mean: numbers,
  deviation: numbers,
  minimum: numbers,
  maximum: numbers,
  groupCount: z.int(),
  runCount: z.number(),
  leastMeans: numbers,
  greatestMeans: numbers,
});
const countsRow = z.object({ groupCount: z.int(), runCount: z.int() });
const keyRow = z.object({ key: z.string() });
const seedValuesRow = z.object({
  key: z.string(),
  /** One a run that has succeeded. */
  seeds: z.string().transform(parseNumberArray),
  /** One list a value, in the order of the seeds; null where the run lacks it. */
  values: z.array(numbers),
});
/** Seeds and values of the runs of a group that have succeeded. */
export type GroupSeedValues = z.infer<typeof seedValuesRow>;

/**
 * A page of the groups of the selected runs with the aggregates of their values, all in the database. Deviations are taken
 * from the mean of each group in a second pass, so that a large common offset costs no digits.
 */
export async function selectRunGroups(
  connection: Connection,
  selection: RunSelection,
  { grouping, range }: { grouping: Grouping; range: GroupRange },
): Promise<GroupPage> {
  const { order, after, first } = range;
  const indexes = [...grouping.values.keys()];
  const each = (column: (index: number) => string): Sql =>
    indexes.length === 0 ? Prisma.empty : Prisma.raw(`, ${indexes.map(column).join(', ')}`);
  const list = (name: string): Sql =>
    Prisma.raw(`ARRAY[${indexes.map((i) => `${name}${i}`).join(', ')}]::float8[]::text`);
  const rows = await queryPage(connection, groupRow)`
    WITH ${placedRunsSql(selection, grouping)},
    clamped AS NOT MATERIALIZED (SELECT part${each((i) => `v${i}, ${clamped(`v${i}`)} AS c${i}`)} FROM placed),
    centers AS MATERIALIZED (
      SELECT part, count(*)::int AS runs${each((i) => `count(v${i}) AS n${i}, avg(c${i}) AS center${i}, min(v${i}) FILTER (WHERE v${i} <> 'NaN') AS minimum${i}, max(v${i}) FILTER (WHERE v${i} <> 'NaN') AS maximum${i}`)}
      FROM clamped GROUP BY part
    ), spread AS (
      SELECT clamped.part${each((i) => `avg(c${i} - center${i}) AS shift${i}, stddev_samp(c${i} - center${i}) AS deviation${i}`)}
      FROM clamped JOIN centers ON centers.part = clamped.part GROUP BY clamped.part
    ), summed AS (
      SELECT parts.key, parts.hash, centers.*${each((i) => `deviation${i}, CASE WHEN ${finiteTest(`center${i}`)} THEN center${i} + shift${i} ELSE center${i} END AS mean${i}`)}
      FROM centers JOIN parts ON parts.part = centers.part
      ${indexes.length === 0 ? Prisma.empty : Prisma.sql`JOIN spread ON spread.part = centers.part`}
    ), groups AS (
      SELECT summed.*, ${placeSql(order, range.quantiles)} AS place, count(*) OVER ()::int AS group_count,
        sum(runs) OVER ()::float8 AS run_count
        ${each((i) => `min(mean${i}) FILTER (WHERE ${finiteTest(`mean${i}`)}) OVER () AS least${i}, max(mean${i}) FILTER (WHERE ${finiteTest(`mean${i}`)}) OVER () AS greatest${i}`)}
      FROM summed
    )
    SELECT key::text, place::text, runs, hash, ${list('n')} AS n, ${list('mean')} AS mean, ${list('deviation')} AS deviation,
      ${list('minimum')} AS minimum, ${list('maximum')} AS maximum, group_count AS "groupCount", run_count AS "runCount",
      ${list('least')} AS "leastMeans", ${list('greatest')} AS "greatestMeans"
    FROM groups WHERE ${after === null ? Prisma.sql`true` : afterSql(order, after)}
    ORDER BY ${orderSql(order)} LIMIT ${first}::int`;
  const [any] = rows;
  return {
    groups: rows.map(readRow),
    groupCount: any?.groupCount ?? 0,
    runCount: any?.runCount ?? 0,
    leastMeans: any?.leastMeans ?? [],
    greatestMeans: any?.greatestMeans ?? [],
  };
}

/** How many groups the selected runs make, and how many runs these have. */
export async function countRunGroups(
  connection: Connection,
  selection: RunSelection,
  { fields }: Grouping,
): Promise<Pick<GroupPage, 'groupCount' | 'runCount'>> {
  const rows = await queryPage(connection, countsRow)`
    WITH ${placedRunsSql(selection, { fields, values: [] })}
    SELECT count(DISTINCT part)::int AS "groupCount", count(*)::int AS "runCount" FROM placed`;
  return rows[0] ?? { groupCount: 0, runCount: 0 };
}

/** What tests over seeds need of every group. */
export async function selectGroupSeedValues(
  connection: Connection,
  selection: RunSelection,
  grouping: Grouping,
): Promise<GroupSeedValues[]> {
  const lists = grouping.values.map((_, i) => `array_agg(v${i})::text`);
  return await queryPage(connection, seedValuesRow)`
    WITH ${placedRunsSql(selection, grouping, ['seed', 'state'])}, grouped AS (
      SELECT part, array_agg(seed)::text AS seeds, ARRAY[${Prisma.raw(lists.join(', '))}]::text[] AS values
      FROM placed WHERE state = 'SUCCEEDED' GROUP BY part
    )
    SELECT parts.key::text, seeds, values FROM grouped JOIN parts ON parts.part = grouped.part`;
}

/** The key that a run has in a grouping; null where it is not selected. Of a run with several tags the first. */
export async function findGroupOfRun(
  connection: Connection,
  selection: RunSelection,
  { fields, runId }: { fields: readonly GroupField[]; runId: string },
): Promise<string | null> {
  const joins = Prisma.join([SELECTED_FROM, ...groupJoins(fields)], ' ');
  const rows = await queryPage(connection, keyRow)`
    SELECT ${groupKeySql(fields)}::text AS key ${joins}
    WHERE run.id = ${runId}::uuid AND ${selectionSql(selection)} ORDER BY 1 LIMIT 1`;
  return rows[0]?.key ?? null;
}

/** Squares of greater values would end the query with an error: in sums they count as infinite. NaN is PostgreSQL's greatest. */
function clamped(value: string): string {
  return `CASE WHEN ${value} > 1e140 AND ${value} <> 'NaN' THEN 'Infinity' WHEN ${value} < -1e140 THEN '-Infinity' ELSE ${value} END`;
}

function finiteTest(value: string): string {
  return `${value} > '-Infinity' AND ${value} < 'Infinity'`;
}

/** What groups are ordered by; NULL, which comes last, for NaN. */
function placeSql(order: GroupOrder, quantiles: readonly number[]): Sql {
  if (order.by === 'key') return Prisma.sql`NULL::float8`;
  if (order.by === 'runs') return Prisma.sql`runs::float8`;
  const i = order.value;
  const error = `deviation${i} / sqrt(n${i})`;
  const columns: Readonly<Record<Aggregate, string>> = {
    n: `n${i}::float8`,
    mean: `mean${i}`,
    standardDeviation: `deviation${i}`,
    standardError: error,
    low: `mean${i} - ${error} * quantile`,
    high: `mean${i} + ${error} * quantile`,
    minimum: `minimum${i}`,
    maximum: `maximum${i}`,
  };
  const column = Prisma.raw(columns[order.by]);
  if (order.by !== 'low' && order.by !== 'high') return Prisma.sql`nullif(${column}, 'NaN'::float8)`;
  // Beyond the list the quantile hardly changes, and only the order depends on it.
  return Prisma.sql`(SELECT nullif(${column}, 'NaN'::float8) FROM (SELECT (${`{${quantiles.join(',')}}`}::text::float8[])
    [least(${Prisma.raw(`n${i}`)} - 1, ${quantiles.length}::int)] AS quantile) student)`;
}

function orderSql(order: GroupOrder): Sql {
  const direction = Prisma.raw(order.descending ? 'DESC' : 'ASC');
  if (order.by === 'key') return Prisma.sql`groups.key ${direction}`;
  return Prisma.sql`groups.place ${direction} NULLS LAST, groups.key`;
}

function afterSql(order: GroupOrder, { place, key }: GroupPosition): Sql {
  const beyond = Prisma.raw(order.descending ? '<' : '>');
  const text = databaseText(key);
  if (order.by === 'key') return Prisma.sql`groups.key ${beyond} ${text}::text::jsonb`;
  const later = Prisma.sql`groups.key > ${text}::text::jsonb`;
  if (place === null) return Prisma.sql`(groups.place IS NULL AND ${later})`;
  const value = Prisma.sql`${place}::text::float8`;
  return Prisma.sql`(groups.place ${beyond} ${value} OR groups.place IS NULL OR groups.place = ${value} AND ${later})`;
}

function readRow({ n, mean, deviation, minimum, maximum, ...row }: z.infer<typeof groupRow>): GroupRow {
  return {
    position: { place: row.place, key: row.key },
    runCount: row.runs,
    configurationHash: row.hash,
    values: n.map((count, i) => ({
      n: count ?? 0,
      mean: mean[i]!,
      deviation: deviation[i]!,
      minimum: minimum[i]!,
      maximum: maximum[i]!,
    })),
  };
}
