import { z } from 'zod';
import { RUN_STATES } from '#src/base/contracts/runState.ts';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { jsonObject, queryPage, queryRows, timestamp } from '#src/base/database/queryRows.ts';

const metricsRow = z.object({ runId: z.string(), metrics: z.string() });

/** A run as MLflow's clients see it. */
const trackedRow = z.object({
  id: z.string(),
  number: z.int(),
  projectId: z.string(),
  name: z.string(),
  state: z.enum(RUN_STATES),
  /** The status that a client gave it; it counts as long as it fits the state. */
  reportedStatus: z.string().nullable(),
  userName: z.string().nullable(),
  kind: z.string(),
  configurationHash: z.string(),
  datasetName: z.string().nullable(),
  seed: z.int(),
  attempt: z.int(),
  workerId: z.string().nullable(),
  /** Unix milliseconds. */
  startMs: z.number().nullable(),
  endMs: z.number().nullable(),
  deletedAt: timestamp.nullable(),
  experimentNumber: z.int(),
  artifactLocation: z.string().nullable(),
  /** Null also where a program keeps something else under that name in its environment. */
  tags: z.record(z.string(), z.string()).nullable().catch(null),
  /** As clients wrote them; null where the run is not of an MLflow client. */
  parameterTexts: z.record(z.string(), z.string()).nullable(),
  parameters: jsonObject,
});
export type TrackedRun = z.infer<typeof trackedRow>;

const COLUMNS = Prisma.sql`run.id, run.number, run.project_id AS "projectId", run.name, run.state,
  run.reported_status AS "reportedStatus", run.user_name AS "userName", configuration.kind,
  run.configuration_hash AS "configurationHash", configuration.dataset_name AS "datasetName", run.seed, run.attempt,
  run.worker_id AS "workerId",
  (extract(epoch FROM coalesce(run.started_at, run.created_at)) * 1000)::float8 AS "startMs",
  (extract(epoch FROM run.ended_at) * 1000)::float8 AS "endMs", run.deleted_at AS "deletedAt",
  project.number AS "experimentNumber", project.artifact_location AS "artifactLocation",
  run.environment -> 'tags' AS tags, run.parameter_texts AS "parameterTexts",
  CASE WHEN run.parameter_texts IS NULL THEN configuration.parameters ELSE '{}' END AS parameters`;

/** The tables of a tracked run. */
export const TRACKED_FROM = Prisma.sql`FROM run JOIN configuration ON configuration.hash = run.configuration_hash
  JOIN project ON project.id = run.project_id`;

/** The runs of these ids, in the order given; ids without a run are left out. */
export async function findTrackedRuns(connection: Connection, ids: readonly string[]): Promise<TrackedRun[]> {
  if (ids.length === 0) return [];
  const rows = await queryPage(connection, trackedRow)`
    SELECT ${COLUMNS} ${TRACKED_FROM} WHERE run.id = ANY(${[...ids]}::uuid[])`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Locks the run of this id until the transaction ends. */
export async function lockTrackedRun(connection: Connection, id: string): Promise<TrackedRun | null> {
  const rows = await queryRows(connection, trackedRow)`
    SELECT ${COLUMNS} ${TRACKED_FROM} WHERE run.id = ${id}::uuid FOR NO KEY UPDATE OF run`;
  return rows[0] ?? null;
}

/** The newest value of every metric of the runs, by run: the JSON text of a list of MLflow's metrics. */
export async function latestMetricsJson(connection: Connection, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await queryPage(connection, metricsRow)`
    SELECT run_id AS "runId", '[' || string_agg('{"key": ' || to_json(name)::text || ', "value": ' ||
      CASE WHEN last_value = 'NaN' THEN '"NaN"' WHEN last_value = 'Infinity' THEN '1.7976931348623157e+308'
        WHEN last_value = '-Infinity' THEN '-1.7976931348623157e+308' ELSE last_value::text END || ', "timestamp": ' ||
      coalesce((date_part('epoch', coalesce(last_time, (SELECT time FROM series_points(metric_series.id,
        metric_series.last_step, metric_series.last_step)))) * 1000)::int8, 0)::text ||
      ', "step": ' || last_step::text || '}', ', ') || ']' AS metrics
    FROM metric_series WHERE run_id = ANY(${[...ids]}::uuid[]) AND point_count > 0 GROUP BY run_id`;
  return new Map(rows.map(({ runId, metrics }) => [runId, metrics]));
}
