import { z } from 'zod';
import { RUN_STATES } from '#src/base/contracts/runState.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseJson, databaseText, numberArrayLiteral } from '#src/base/database/databaseText.ts';
import { float8Text, idRow, jsonObject, queryRows, textsJson, timestamp } from '#src/base/database/queryRows.ts';
import { RUN_COLUMNS, type RunRecord, runRow } from '#src/runs/store/runRecord.ts';

const seedRow = z.object({ seed: z.int().nullable() });
const trialRow = z.object({
  number: z.int(),
  point: jsonObject,
  error: z.string().nullable(),
  createdAt: timestamp,
  ...{ open: z.int(), succeeded: z.int(), failed: z.int(), cancelled: z.int(), pruned: z.int(), crashed: z.int() },
  measured: z.int(),
  others: textsJson.nullable(),
  mean: float8Text.nullable(),
  epochs: z.number(),
  ...{ iteration: z.int().nullable(), rungValue: float8Text.nullable() },
});

/** A row of `sweep_trial`, with its runs counted by how they ended: of several runs of a seed the newest counts. */
export interface TrialRecord {
  number: number;
  point: Record<string, unknown>;
  error: string | null;
  createdAt: Date;
  runs: { open: number; succeeded: number; failed: number; cancelled: number; pruned: number };
  /** Of the failed ones, those that were lost and have attempts left. */
  crashed: number;
  /** Runs that succeeded and have the metric. */
  measured: number;
  /** What a run that succeeded without the metric has instead; null where each has it. */
  others: string[] | null;
  /** Of the metric over those runs; null without any. */
  mean: number | null;
  /** Its last rung; null without any. */
  rung: { iteration: number; value: number } | null;
  /** The greatest step that each run has logged but for `system/*`, added up over its runs. */
  epochs: number;
}

export interface TrialMetric {
  name: string;
  /** Which value of a series counts. */
  value: 'last' | 'minimum' | 'maximum';
}

/** Writes a trial. @throws a unique violation where the sweep has one of this number. */
export async function insertTrial(
  connection: Connection,
  trial: { sweepId: string; number: number; point: unknown; error: string | null },
): Promise<void> {
  await connection.$executeRaw`
    INSERT INTO sweep_trial (sweep_id, number, point, error)
    VALUES (${trial.sweepId}::uuid, ${trial.number}::int, ${databaseJson(trial.point)}::jsonb,
      ${trial.error === null ? null : databaseText(trial.error)})`;
}

/** All trials of a sweep by number, with the mean of a metric over the runs of each. */
export async function listTrials(
  connection: Connection,
  sweepId: string,
  metric: TrialMetric | null,
): Promise<TrialRecord[]> {
  const rows = await queryRows(connection, trialRow)`
    SELECT trial.number, trial.point, trial.error, trial.created_at AS "createdAt", counted.*,
      rung.iteration, rung.value::text AS "rungValue"
    FROM sweep_trial trial CROSS JOIN LATERAL (
      SELECT (count(*) FILTER (WHERE state IN ('WAITING', 'QUEUED', 'RUNNING')))::int AS open,
        (count(*) FILTER (WHERE state = 'SUCCEEDED'))::int AS succeeded,
        (count(*) FILTER (WHERE state IN ('FAILED', 'CRASHED')))::int AS failed,
        (count(*) FILTER (WHERE state = 'CRASHED' AND tries < max_attempts))::int AS crashed,
        (count(*) FILTER (WHERE state = 'CANCELLED'))::int AS cancelled,
        (count(*) FILTER (WHERE state = 'PRUNED'))::int AS pruned,
        (count(value) FILTER (WHERE state = 'SUCCEEDED'))::int AS measured,
        min(names) FILTER (WHERE state = 'SUCCEEDED' AND value IS NULL) AS others,
        (avg(value) FILTER (WHERE state = 'SUCCEEDED'))::text AS mean,
        coalesce(sum(steps), 0)::float8 AS epochs
      FROM (
        SELECT DISTINCT ON (seed) id, state, max_attempts, count(*) OVER (PARTITION BY seed) AS tries FROM run
        WHERE run.sweep_id = trial.sweep_id AND run.sweep_trial = trial.number ORDER BY seed, number DESC
      ) newest LEFT JOIN LATERAL (
        SELECT max(last_step) FILTER (WHERE name NOT LIKE 'system/%') AS steps,
          max(CASE ${metric?.value ?? 'last'} WHEN 'last' THEN last_value WHEN 'minimum' THEN minimum ELSE maximum END)
            FILTER (WHERE name = ${metric?.name ?? null}) AS value,
          CASE WHEN bool_and(name <> ${metric?.name ?? null}::text)
            THEN (json_agg(name ORDER BY name) FILTER (WHERE name NOT LIKE 'system/%'))::text END AS names
        FROM metric_series WHERE run_id = newest.id AND point_count > 0
      ) series ON true
    ) counted LEFT JOIN LATERAL (
      SELECT iteration, value FROM sweep_rung
      WHERE sweep_rung.sweep_id = trial.sweep_id AND sweep_rung.trial = trial.number ORDER BY iteration DESC LIMIT 1
    ) rung ON true
    WHERE trial.sweep_id = ${sweepId}::uuid ORDER BY trial.number`;
  return rows.map(({ open, succeeded, failed, cancelled, pruned, iteration, rungValue, ...row }) => ({
    ...row,
    runs: { open, succeeded, failed, cancelled, pruned },
    rung: iteration === null || rungValue === null ? null : { iteration, value: rungValue },
  }));
}

/** A run of a trial, with what it has of a metric. */
const trialRunRow = z.object({
  trial: z.int(),
  id: z.string(),
  number: z.int(),
  seed: z.int(),
  state: z.enum(RUN_STATES),
  /** Null without any. */
  value: float8Text.nullable(),
});
export type TrialRunRow = z.infer<typeof trialRunRow>;

/** The runs of the trials of a sweep from number `from` on, by trial and seed, with what each has of a metric. */
export async function listTrialRuns(
  connection: Connection,
  { sweepId, from, metric }: { sweepId: string; from: number; metric: TrialMetric | null },
): Promise<TrialRunRow[]> {
  return await queryRows(connection, trialRunRow)`
    SELECT run.sweep_trial AS trial, run.id, run.number, run.seed, run.state, (
      SELECT CASE ${metric?.value ?? 'last'} WHEN 'last' THEN last_value WHEN 'minimum' THEN minimum ELSE maximum END
      FROM metric_series WHERE run_id = run.id AND name = ${metric?.name ?? null} AND point_count > 0
    )::text AS value
    FROM run WHERE run.sweep_id = ${sweepId}::uuid AND run.sweep_trial >= ${from}::int
    ORDER BY run.sweep_trial, run.seed, run.number`;
}

/** Ids of the runs of a sweep that have not ended. */
export async function listOpenSweepRuns(connection: Connection, sweepId: string): Promise<string[]> {
  const rows = await queryRows(connection, idRow)`
    SELECT id FROM run WHERE sweep_id = ${sweepId}::uuid AND state IN ('WAITING', 'QUEUED', 'RUNNING') ORDER BY number`;
  return rows.map(({ id }) => id);
}

/** The greatest seed of a sweep's runs, and of those that agents are to make to confirm trials; null without any. */
export async function greatestSweepSeed(connection: Connection, sweepId: string): Promise<number | null> {
  const rows = await queryRows(connection, seedRow)`
    SELECT max(seed) AS seed FROM (
      SELECT seed FROM run WHERE sweep_id = ${sweepId}::uuid
      UNION ALL SELECT seed FROM sweep_confirmation WHERE sweep_id = ${sweepId}::uuid
    ) used`;
  return rows[0]?.seed ?? null;
}

/** The newest runs that confirm trials of a sweep, by number, at most `limit`. */
export async function listConfirmations(connection: Connection, sweepId: string, limit: number): Promise<RunRecord[]> {
  const rows = await queryRows(connection, runRow)`
    SELECT ${RUN_COLUMNS} FROM run WHERE run.sweep_id = ${sweepId}::uuid AND run.sweep_trial IS NULL
      AND run.deleted_at IS NULL ORDER BY run.number DESC LIMIT ${limit}::int`;
  return rows.reverse();
}

/** The runs of trials of a sweep, by trial and seed; trials without runs are left out. */
export async function listRunsOfTrials(
  connection: Connection,
  sweepId: string,
  trials: readonly number[],
): Promise<RunRecord[]> {
  if (trials.length === 0) return [];
  return await queryRows(connection, runRow)`
    SELECT ${RUN_COLUMNS} FROM run WHERE run.sweep_id = ${sweepId}::uuid
      AND run.sweep_trial = ANY(${numberArrayLiteral(trials)}::int[]) ORDER BY run.sweep_trial, run.seed, run.number`;
}
