import { z } from 'zod';
import type { EndedState } from '#src/base/contracts/alertRule.ts';
import { RUN_STATES } from '#src/base/contracts/runState.ts';
import type { RunFilter } from '#src/base/contracts/runFilter/syntax.ts';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseText } from '#src/base/database/databaseText.ts';
import { float8, idRow, int8, queryRows } from '#src/base/database/queryRows.ts';
import { runFilterSql } from '#src/runs/store/runFilterSql.ts';

/** Which runs a rule looks at, and which alerts it has raised. */
export interface RuleScope {
  /** Null: all projects. */
  projectId: string | null;
  filter: RunFilter | null;
  /** Begins the keys of its alerts. */
  prefix: string;
  /** What ended before is left alone. */
  since: Date;
}

const runColumns = {
  id: z.string(),
  number: z.int(),
  name: z.string(),
  state: z.enum(RUN_STATES),
  projectId: z.string(),
  projectName: z.string(),
  key: z.string(),
};
const endedRow = z.object({ ...runColumns, error: z.string().nullable() });
export type EndedRun = z.infer<typeof endedRow>;
const seriesRow = z.object({
  ...runColumns,
  seriesId: int8,
  points: z.int(),
  lastStep: int8,
  lastValue: float8,
  minimum: float8.nullable(),
  maximum: float8.nullable(),
});
export type WatchedSeries = z.infer<typeof seriesRow>;

/** Found at once; the next look finds the others. */
const MOST = 200;

const RUN = Prisma.sql`run.id, run.number, run.name, run.state, run.project_id AS "projectId", project.name AS "projectName"`;

const projectsOf = ({ projectId }: RuleScope): Prisma.Sql =>
  projectId === null
    ? Prisma.sql`ANY(ARRAY(SELECT id FROM project WHERE deleted_at IS NULL))`
    : Prisma.sql`${projectId}::uuid`;

const meets = ({ filter }: RuleScope): Prisma.Sql => (filter === null ? Prisma.sql`true` : runFilterSql(filter));

/** Runs that ended in one of the states and have no alert yet, the first that did first. */
export async function findEndedRuns(
  connection: Connection,
  scope: RuleScope,
  states: readonly EndedState[],
): Promise<EndedRun[]> {
  // a run that crashes, is heard of and crashes again does so as the same attempt
  const key = Prisma.sql`concat(${scope.prefix}::text, 'run:', run.id, ':', run.attempt, ':', run.state,
    CASE WHEN run.state = 'CRASHED' THEN ':' || (extract(epoch FROM run.ended_at) * 1000)::int8 END)`;
  return await queryRows(connection, endedRow)`
    SELECT ${RUN}, ${key} AS key, left(run.error_message, 1000) AS error
    FROM run JOIN configuration ON configuration.hash = run.configuration_hash JOIN project ON project.id = run.project_id
    WHERE run.project_id = ${projectsOf(scope)} AND run.state = ANY(${[...states]}::text[]::run_state[])
      AND run.ended_at >= ${scope.since} AND run.deleted_at IS NULL AND ${meets(scope)}
      AND NOT EXISTS (SELECT FROM alert WHERE alert.key = ${key})
    ORDER BY run.ended_at LIMIT ${MOST}::int`;
}

/** What makes a series worth a look, as SQL over `series`. */
export type SeriesTest =
  | { is: 'ABOVE' | 'BELOW'; value: number }
  | { is: 'NOT_FINITE' }
  | { is: 'LONG'; points: number; steps: number };

function testSql(test: SeriesTest): Prisma.Sql {
  switch (test.is) {
    case 'ABOVE':
      return Prisma.sql`(series.maximum > ${test.value}::float8 OR series.last_value = 'Infinity')`;
    case 'BELOW':
      return Prisma.sql`(series.minimum < ${test.value}::float8 OR series.last_value = '-Infinity')`;
    case 'NOT_FINITE':
      return Prisma.sql`series.point_count > 0 AND series.last_value = ANY(ARRAY['NaN', 'Infinity', '-Infinity']::float8[])`;
    case 'LONG':
      return Prisma.sql`series.point_count > ${test.points}::int AND series.last_step >= ${test.steps}::int8`;
  }
}

/** Series of a name that pass the test, of runs that run or ended lately and have no alert yet, the oldest run first. */
export async function findSeries(
  connection: Connection,
  scope: RuleScope,
  { metric, test, most = MOST }: { metric: string; test: SeriesTest; most?: number },
): Promise<WatchedSeries[]> {
  const key = Prisma.sql`concat(${scope.prefix}::text, 'run:', run.id)`;
  return await queryRows(connection, seriesRow)`
    SELECT ${RUN}, ${key} AS key, series.id AS "seriesId", series.point_count AS points, series.last_step AS "lastStep",
      series.last_value AS "lastValue", series.minimum, series.maximum
    FROM (
      SELECT * FROM run WHERE run.project_id = ${projectsOf(scope)} AND run.state = 'RUNNING' AND run.deleted_at IS NULL
      UNION ALL
      SELECT * FROM run WHERE run.project_id = ${projectsOf(scope)} AND run.ended_at >= ${scope.since}
        AND run.state = ANY(ARRAY['SUCCEEDED', 'FAILED', 'CANCELLED', 'CRASHED', 'PRUNED']::run_state[]) AND run.deleted_at IS NULL
    ) run
    JOIN configuration ON configuration.hash = run.configuration_hash JOIN project ON project.id = run.project_id
    JOIN metric_series series ON series.run_id = run.id AND series.name = ${databaseText(metric)}
    WHERE ${testSql(test)} AND ${meets(scope)} AND NOT EXISTS (SELECT FROM alert WHERE alert.key = ${key})
    ORDER BY run.number LIMIT ${most}::int`;
}

const standstillRow = z.object({
  seriesId: int8,
  values: int8,
  steps: int8,
  bestStep: int8.nullable(),
});
/** How long a series has had no better value. */
export type Standstill = z.infer<typeof standstillRow>;

/** How many values, and how many steps, each series has had since its first best value; all, where none is finite. */
export async function measureStandstills(
  connection: Connection,
  seriesIds: readonly number[],
  goal: 'MINIMIZE' | 'MAXIMIZE',
): Promise<Standstill[]> {
  const best = goal === 'MINIMIZE' ? Prisma.sql`series.minimum` : Prisma.sql`series.maximum`;
  return await queryRows(connection, standstillRow)`
    SELECT series.id AS "seriesId", found.best AS "bestStep",
      CASE WHEN found.best IS NULL THEN found.total ELSE
        (SELECT count(*) FROM series_points(series.id, found.best + 1)) END AS values,
      series.last_step - coalesce(found.best, found.first, series.last_step) AS steps
    FROM metric_series series CROSS JOIN LATERAL (
      SELECT min(point.step) FILTER (WHERE point.value = ${best}) AS best, min(point.step) AS first, count(*) AS total
      FROM series_points(series.id) point
    ) found WHERE series.id = ANY(${[...seriesIds]}::int8[])`;
}

/** Whether a run meets a filter. */
export async function runMeets(connection: Connection, runId: string, filter: RunFilter | null): Promise<boolean> {
  if (filter === null) return true;
  const rows = await queryRows(connection, idRow)`
    SELECT run.id FROM run JOIN configuration ON configuration.hash = run.configuration_hash
    WHERE run.id = ${runId}::uuid AND ${runFilterSql(filter)}`;
  return rows.length > 0;
}
