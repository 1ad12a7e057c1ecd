import { z } from 'zod';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { readNullableNumbers, readNumbers } from '#src/base/database/binaryArray.ts';
import { countRow, nameRow, queryPage, queryRows, textsJson } from '#src/base/database/queryRows.ts';

const namesRow = z.object({ all: textsJson.nullable(), near: textsJson.nullable() });
const curveNameRow = z.object({ name: z.string(), runCount: z.int(), isAxis: z.boolean() });
const runNamesRow = z.object({ runId: z.string(), names: textsJson });
const stepRow = z.object({ step: z.number() });

/** A row of `metric_series`: one named series of a run, summed up. */
export interface SeriesRecord {
  /** A decimal number. */
  id: string;
  runId: string;
  name: string;
  pointCount: number;
  lastStep: number;
  /** The value at the greatest step; may be NaN or infinite. */
  lastValue: number;
  /** Extremes over the finite values; null when there is none. */
  minimum: number | null;
  maximum: number | null;
}

const numbers = z.string().transform((base64) => readNumbers(Buffer.from(base64, 'base64')));
const numbersOrNull = z.string().transform((base64) => readNullableNumbers(Buffer.from(base64, 'base64')));
const columns = {
  runId: z.string(),
  names: z.string(),
  ...{ pointCounts: numbers, lastSteps: numbers, lastValues: numbers },
  ...{ minima: numbersOrNull, maxima: numbersOrNull },
};
const columnsRow = z.object(columns);
const recordsRow = z.object({ ...columns, ids: z.string().transform((literal) => literal.slice(1, -1).split(',')) });

/** The series of one run, summed up, by name: a column of each field of `SeriesRecord` but the id. */
export interface SeriesColumns {
  runId: string;
  names: readonly string[];
  pointCounts: readonly number[];
  lastSteps: readonly number[];
  lastValues: readonly number[];
  minima: readonly (number | null)[];
  maxima: readonly (number | null)[];
}

/**
 * The series of the runs, by run and name; with `names`, only those. They come as one row a run with a column of each: a page of
 * the table has 10,000 of them, and rows are what costs.
 */
export async function listSeriesColumns(
  connection: Connection,
  runIds: readonly string[],
  names: readonly string[] | null = null,
): Promise<SeriesColumns[]> {
  if (runIds.length === 0) return [];
  return withNames(await queryPage(connection, columnsRow)`${selectColumns(runIds, names)}`);
}

/** As `listSeriesColumns`, a record of each series, with its id. */
export async function listSeries(
  connection: Connection,
  runIds: readonly string[],
  names: readonly string[] | null = null,
): Promise<SeriesRecord[]> {
  if (runIds.length === 0) return [];
  const ids = Prisma.sql`array_agg(id ORDER BY name COLLATE "C")::text AS ids,`;
  const rows = withNames(await queryPage(connection, recordsRow)`${selectColumns(runIds, names, ids)}`);
  return rows.flatMap(({ runId, ids: given, names: named, pointCounts, lastSteps, lastValues, minima, maxima }) =>
    named.map((name, i) => ({
      id: given[i]!,
      runId,
      name,
      pointCount: pointCounts[i]!,
      lastStep: lastSteps[i]!,
      lastValue: lastValues[i]!,
      minimum: minima[i]!,
      maximum: maxima[i]!,
    })),
  );
}

/**
 * Numbers come in their binary form: a page of the table has 50,000 of them, and digits take longer to write and to read.
 * @param more A column more, with a comma behind it.
 */
function selectColumns(runIds: readonly string[], names: readonly string[] | null, more = Prisma.empty): Prisma.Sql {
  const numbersOf = (column: string) =>
    Prisma.raw(`encode(array_send(array_agg(${column} ORDER BY name COLLATE "C")), 'base64')`);
  return Prisma.sql`
    SELECT run_id AS "runId", to_json(array_agg(name ORDER BY name COLLATE "C"))::text AS names, ${more}
      ${numbersOf('point_count')} AS "pointCounts", ${numbersOf('last_step')} AS "lastSteps",
      ${numbersOf('last_value')} AS "lastValues", ${numbersOf('minimum')} AS minima, ${numbersOf('maximum')} AS maxima
    FROM metric_series
    WHERE run_id = ANY(${[...runIds]}::uuid[]) AND point_count > 0
      AND (${names === null} OR name = ANY(${[...(names ?? [])]}::text[]))
    GROUP BY run_id ORDER BY run_id`;
}

/** Most runs of a page have the same metrics: their names are read once. */
function withNames<Row extends { names: string }>(rows: readonly Row[]): (Omit<Row, 'names'> & { names: string[] })[] {
  const read = new Map<string, string[]>();
  return rows.map((row) => {
    const names = read.get(row.names) ?? textsJson.parse(row.names);
    read.set(row.names, names);
    return { ...row, names };
  });
}

/** Names of a run that are looked through, of those with more the last by name: `valid/…` and `test/…` are among them. */
const MOST_NAMES = 2_000;

/** The names of the series of runs, for a run with very many of them not all. */
export async function listSeriesNames(
  connection: Connection,
  runIds: readonly string[],
): Promise<Map<string, readonly string[]>> {
  if (runIds.length === 0) return new Map();
  const rows = await queryRows(connection, runNamesRow)`
    SELECT run.id AS "runId", (
      SELECT coalesce(json_agg(name), '[]')::text FROM (
        SELECT name FROM metric_series WHERE run_id = run.id AND point_count > 0 ORDER BY name DESC LIMIT ${MOST_NAMES}::int
      ) newest
    ) AS names
    FROM unnest(${[...runIds]}::uuid[]) AS run (id)`;
  return new Map(rows.map(({ runId, names }) => [runId, names]));
}

/**
 * Names of series of which some of the runs have more than one point, with how many of them do, by name; and whether they are
 * the x axis of others.
 * @param options.withSingle Also those of which no run has more than one, with none.
 */
export async function listCurveNames(
  connection: Connection,
  runIds: readonly string[],
  { withSingle, limit }: { withSingle: boolean; limit: number },
): Promise<z.infer<typeof curveNameRow>[]> {
  if (runIds.length === 0) return [];
  return await queryRows(connection, curveNameRow)`
    SELECT name, (count(*) FILTER (WHERE point_count > 1))::int AS "runCount",
      name IN (SELECT step_metric FROM metric_definition WHERE run_id = ANY(${[...runIds]}::uuid[])) IS TRUE AS "isAxis"
    FROM metric_series
    WHERE run_id = ANY(${[...runIds]}::uuid[]) AND point_count > ${withSingle ? 0 : 1}::int
    GROUP BY name ORDER BY name LIMIT ${limit}::int`;
}

/** How many series the runs have. */
export async function countSeries(connection: Connection, runIds: readonly string[]): Promise<number> {
  const rows = await queryRows(connection, countRow)`
    SELECT count(*)::int AS count FROM metric_series WHERE run_id = ANY(${[...runIds]}::uuid[]) AND point_count > 0`;
  return rows[0]?.count ?? 0;
}

/** Runs whose names are listed first; with these, few names are left to look for. */
const NEWEST = 20;

/**
 * Names of the series that runs have, of one project or of all, at most `limit`. Steps from name to name through the
 * index, so that it does not read every series of every run, and looks only for names that the newest runs lack: for each until a run
 * has it (`IS TRUE` keeps PostgreSQL from a join of all).
 */
export async function listMetricNames(
  connection: Connection,
  projectId: string | null,
  limit: number,
): Promise<string[]> {
  const selected = Prisma.sql`run.deleted_at IS NULL AND (${projectId}::uuid IS NULL OR run.project_id = ${projectId}::uuid)`;
  const rows = await queryPage(connection, namesRow)`
    WITH RECURSIVE known AS (
      (SELECT name FROM metric_series ORDER BY name LIMIT 1)
      UNION ALL
      SELECT (SELECT metric_series.name FROM metric_series WHERE metric_series.name > known.name
        ORDER BY metric_series.name LIMIT 1)
      FROM known WHERE known.name IS NOT NULL
    ), near AS (
      SELECT DISTINCT name FROM metric_series WHERE run_id IN (
        SELECT id FROM run WHERE ${selected} ORDER BY number DESC LIMIT ${NEWEST}::int)
    )
    SELECT (SELECT json_agg(name)::text FROM known WHERE name IS NOT NULL) AS all,
      (SELECT json_agg(name)::text FROM near) AS near`;
  const all = rows[0]?.all ?? [];
  const near = new Set(rows[0]?.near);
  const rest = all.filter((name) => !near.has(name));
  const older =
    rest.length === 0
      ? []
      : await queryPage(connection, nameRow)`
    SELECT known.name FROM unnest(${rest}::text[]) AS known (name) WHERE EXISTS (
      SELECT FROM metric_series JOIN run ON run.id = metric_series.run_id
      WHERE metric_series.name = known.name AND ${selected}) IS TRUE`;
  return [...near, ...older.map((row) => row.name)].sort().slice(0, limit);
}

/** The greatest step that a run has logged, but for `system/*`, which counts seconds; 0 when there is none. */
export async function lastLoggedStep(connection: Connection, runId: string): Promise<number> {
  const rows = await queryRows(connection, stepRow)`
    SELECT coalesce(max(last_step), 0)::float8 AS step FROM metric_series
    WHERE run_id = ${runId}::uuid AND name NOT LIKE 'system/%' AND last_step >= 0`;
  return rows[0]?.step ?? 0;
}
