import { z } from 'zod';
import type { Connection } from '#src/base/database/connection.ts';
import { int8, queryRows } from '#src/base/database/queryRows.ts';

const databaseRow = z.object({ version: z.string(), bytes: int8, connections: z.int() });
const tableRow = z.object({ name: z.string(), bytes: int8, rows: int8 });
/** A table with its indices and texts that are kept beside it. */
export type TableSize = z.infer<typeof tableRow>;
const projectRow = z.object({ name: z.string(), runs: int8, trashRuns: int8, points: int8, artifactBytes: int8 });
/** What a project takes. */
export type ProjectSize = z.infer<typeof projectRow>;

/** The version of PostgreSQL, the size of the database, and how many connections it has. */
export async function readDatabase(connection: Connection): Promise<z.infer<typeof databaseRow>> {
  const rows = await queryRows(connection, databaseRow)`
    SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS bytes,
      (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()) AS connections`;
  return rows[0]!;
}

/** The largest tables, rows as PostgreSQL estimates them: a table that it has not looked through yet has those that it has counted. */
export async function listTableSizes(connection: Connection, most: number): Promise<TableSize[]> {
  return await queryRows(connection, tableRow)`
    SELECT relname AS name, pg_total_relation_size(oid) AS bytes,
      (CASE WHEN reltuples >= 0 THEN reltuples ELSE pg_stat_get_live_tuples(oid) END)::int8 AS rows
    FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
    ORDER BY 2 DESC, 1 LIMIT ${most}::int`;
}

/** The projects that take most, by bytes of artifacts, then by points: content that several runs share counts once. */
export async function listProjectSizes(connection: Connection, most: number): Promise<ProjectSize[]> {
  return await queryRows(connection, projectRow)`
    WITH runs AS (
      SELECT project_id, count(*) FILTER (WHERE deleted_at IS NULL) AS runs, count(deleted_at) AS "trashRuns"
      FROM run GROUP BY project_id
    ), points AS (
      SELECT run.project_id, sum(series.point_count)::int8 AS points
      FROM metric_series series JOIN run ON run.id = series.run_id GROUP BY run.project_id
    ), content AS (
      SELECT project_id, sum(size_bytes)::int8 AS bytes FROM (
        SELECT DISTINCT run.project_id, artifact.sha256, artifact.size_bytes
        FROM artifact JOIN run ON run.id = artifact.run_id) one
      GROUP BY project_id
    )
    SELECT project.name, coalesce(runs.runs, 0) AS runs, coalesce(runs."trashRuns", 0) AS "trashRuns",
      coalesce(points.points, 0) AS points, coalesce(content.bytes, 0) AS "artifactBytes"
    FROM project LEFT JOIN runs ON runs.project_id = project.id LEFT JOIN points ON points.project_id = project.id
      LEFT JOIN content ON content.project_id = project.id
    ORDER BY "artifactBytes" DESC, points DESC, project.name LIMIT ${most}::int`;
}
