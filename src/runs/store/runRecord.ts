import { z } from 'zod';
import { runNeedsSchema } from '#src/base/contracts/runNeeds.ts';
import { RUN_STATES, type RunState } from '#src/base/contracts/runState.ts';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { numberArrayLiteral } from '#src/base/database/databaseText.ts';
import { countRow, queryRows, timestamp } from '#src/base/database/queryRows.ts';

const kindRow = z.object({ kind: z.string(), runs: z.int() });
const stateRow = z.object({ state: z.enum(RUN_STATES), count: z.int() });

/** A row of `run`: one execution of a configuration with one seed. */
export const runRow = z.object({
  id: z.string(),
  /** Counts runs in the order of creation. */
  number: z.int(),
  projectId: z.string(),
  configurationHash: z.string(),
  seed: z.int(),
  name: z.string(),
  tags: z.array(z.string()),
  /** Who made it; null where nobody said. */
  user: z.string().nullable(),
  /** The preset from which its parameters were filled in; null where there was none. */
  preset: z.string().nullable(),
  state: z.enum(RUN_STATES),
  /** 1 (first) to 2,097,151 (last). */
  priority: z.int(),
  /** Executed by workers with a graphics processor only. */
  requiresGpu: z.boolean(),
  /** What a worker must offer: such runs are matched in the database. Null for runs of the queue. */
  needs: runNeedsSchema.nullable(),
  /** Numbers of the GPUs that the newest attempt was given. */
  gpus: z.array(z.int()),
  /** The kind, where a module of WARREN_KINDS has added it: only workers that know it execute the run. */
  addedKind: z.string().nullable(),
  /** The newest attempt's number, 0 before the first. */
  attempt: z.int(),
  /** Attempts that failures of the machinery may cost, counted from the last retry by a person. */
  maxAttempts: z.int(),
  workerId: z.string().nullable(),
  leaseExpiresAt: timestamp.nullable(),
  /** Silence after which an external run counts as crashed; null for runs of workers. */
  leaseSeconds: z.int().nullable(),
  /** The last report of an external run. */
  lastHeardAt: timestamp.nullable(),
  notBefore: timestamp.nullable(),
  /** Milliseconds from when the record was read until `notBefore`, by the database's clock; 0 when it may be claimed. */
  delayMs: z.number(),
  cancelRequestedAt: timestamp.nullable(),
  /** Its sweep wants it stopped early. */
  pruneRequestedAt: timestamp.nullable(),
  /** 0 to 1. */
  progress: z.number(),
  progressMessage: z.string(),
  metricCursor: z.int(),
  errorCode: z.string().nullable(),
  errorMessage: z.string().nullable(),
  sweepId: z.string().nullable(),
  /** Which trial of its sweep it belongs to; null for runs that confirm a trial. */
  sweepTrial: z.int().nullable(),
  /** The run from which it branched off, and the last step that it has from there; null where it began anew. */
  forkedFromId: z.string().nullable(),
  forkStep: z.number().nullable(),
  createdAt: timestamp,
  startedAt: timestamp.nullable(),
  endedAt: timestamp.nullable(),
  /** In the trash since; null when not. */
  deletedAt: timestamp.nullable(),
});
export type RunRecord = z.infer<typeof runRow>;

/** The columns of `run` (alias or table name `run`) under the names of `RunRecord`, for `SELECT` and `RETURNING`. */
export const RUN_COLUMNS = Prisma.sql`run.id, run.number, run.project_id AS "projectId",
  run.configuration_hash AS "configurationHash", run.seed, run.name, run.tags, nullif(run.user_name, '') AS "user", run.preset, run.state, run.priority,
  run.requires_gpu AS "requiresGpu", run.needs, run.gpus, run.added_kind AS "addedKind",
  run.attempt, run.max_attempts AS "maxAttempts", run.worker_id AS "workerId",
  run.lease_expires_at AS "leaseExpiresAt", run.lease_seconds AS "leaseSeconds",
  run.last_heard_at AS "lastHeardAt", run.not_before AS "notBefore",
  coalesce(greatest(0, ceil(extract(epoch FROM run.not_before - now()) * 1000)), 0)::float8 AS "delayMs",
  run.cancel_requested_at AS "cancelRequestedAt",
  run.prune_requested_at AS "pruneRequestedAt", run.progress, run.progress_message AS "progressMessage",
  run.metric_cursor AS "metricCursor", run.error_code AS "errorCode",
  left(run.error_message, 5000) AS "errorMessage", run.sweep_id AS "sweepId", run.sweep_trial AS "sweepTrial",
  run.forked_from_id AS "forkedFromId", run.fork_step::float8 AS "forkStep", run.created_at AS "createdAt",
  run.started_at AS "startedAt", run.ended_at AS "endedAt", run.deleted_at AS "deletedAt"`;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The runs with these ids, in the order asked for; ids without a run, and what is no id, are left out. */
export async function findRunsById(connection: Connection, ids: readonly string[]): Promise<RunRecord[]> {
  const wellFormed = ids.filter((id) => UUID.test(id));
  if (wellFormed.length === 0) return [];
  const rows = await queryRows(connection, runRow)`
    SELECT ${RUN_COLUMNS} FROM run WHERE run.id = ANY(${wellFormed}::uuid[])`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id.toLowerCase()) ?? []);
}

/** The runs with these numbers, in no particular order. */
export async function findRunsByNumber(connection: Connection, numbers: readonly number[]): Promise<RunRecord[]> {
  if (numbers.length === 0) return [];
  return await queryRows(connection, runRow)`
    SELECT ${RUN_COLUMNS} FROM run WHERE run.number = ANY(${numberArrayLiteral(numbers)}::int[])`;
}

/** Locks the runs against changes by others until the transaction ends, in the order of ids so that none deadlocks. */
export async function lockRuns(connection: Connection, ids: readonly string[]): Promise<RunRecord[]> {
  if (ids.length === 0) return [];
  const rows = await queryRows(connection, runRow)`
    SELECT ${RUN_COLUMNS} FROM run WHERE run.id = ANY(${[...ids]}::uuid[]) ORDER BY run.id FOR NO KEY UPDATE`;
  return rows;
}

/** What the workers execute now, by number. */
export async function listRunsOfWorkers(connection: Connection, workerIds: readonly string[]): Promise<RunRecord[]> {
  if (workerIds.length === 0) return [];
  return await queryRows(connection, runRow)`
    SELECT ${RUN_COLUMNS} FROM run WHERE run.worker_id = ANY(${[...workerIds]}::uuid[]) AND run.state = 'RUNNING'
    ORDER BY run.number`;
}

/** Queued runs in the order in which workers take them. */
export async function listQueuedRuns(connection: Connection, first: number): Promise<RunRecord[]> {
  return await queryRows(connection, runRow)`
    SELECT ${RUN_COLUMNS} FROM run WHERE run.state = 'QUEUED' AND run.deleted_at IS NULL
    ORDER BY run.priority, run.number LIMIT ${first}::int`;
}

/** The runs that branched off from these, by number. */
export async function listForks(connection: Connection, parentIds: readonly string[]): Promise<RunRecord[]> {
  if (parentIds.length === 0) return [];
  return await queryRows(connection, runRow)`
    SELECT ${RUN_COLUMNS} FROM run WHERE run.forked_from_id = ANY(${[...parentIds]}::uuid[]) AND run.deleted_at IS NULL
    ORDER BY run.number`;
}

/** How many runs wait for a worker with a graphics processor. */
export async function countQueuedForGpu(connection: Connection): Promise<number> {
  const rows = await queryRows(connection, countRow)`
    SELECT count(*)::int AS count FROM run WHERE state = 'QUEUED' AND requires_gpu AND deleted_at IS NULL`;
  return rows[0]?.count ?? 0;
}

/** How many runs of each kind of a module are queued, by kind. */
export async function countQueuedByAddedKind(connection: Connection): Promise<{ kind: string; runs: number }[]> {
  return await queryRows(connection, kindRow)`
    SELECT added_kind AS kind, count(*)::int AS runs FROM run
    WHERE state = 'QUEUED' AND added_kind IS NOT NULL AND deleted_at IS NULL GROUP BY added_kind ORDER BY added_kind`;
}

/** How many runs that are not in the trash have not ended, by state; states without runs are left out. */
export async function countOpenRuns(connection: Connection): Promise<Map<RunState, number>> {
  const rows = await queryRows(connection, stateRow)`
    SELECT state, count(*)::int AS count FROM run
    WHERE deleted_at IS NULL AND state IN ('WAITING', 'QUEUED', 'RUNNING') GROUP BY state`;
  return new Map(rows.map((row) => [row.state, row.count]));
}
