import { z } from 'zod';
import { RUN_STATES } from '#src/base/contracts/runState.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseText } from '#src/base/database/databaseText.ts';
import { float8Text, idRow, queryRows } from '#src/base/database/queryRows.ts';

/** A run of a pair as it is now. */
const pairedRow = z.object({
  id: z.string(),
  number: z.int(),
  state: z.enum(RUN_STATES),
  deleted: z.boolean(),
  /** The last value of the metric; null without any. */
  value: float8Text.nullable(),
});
export type PairedRun = z.infer<typeof pairedRow>;

/** A row of `decision_pair` with its runs. */
export interface PairRecord {
  /** From 0, in the order in which looks count pairs. */
  number: number;
  seed: number;
  /** Null where it is gone for good. */
  runA: PairedRun | null;
  runB: PairedRun | null;
  /** Whether they were there before. */
  reusedA: boolean;
  reusedB: boolean;
  /** Kept as they were when both runs had ended; null until then. */
  valueA: number | null;
  valueB: number | null;
  /** Why it does not count; null where it does, or may yet. */
  problem: string | null;
}

type Stored = Omit<PairRecord, 'runA' | 'runB'> & { runAId: string | null; runBId: string | null };

/** The pairs of a decision by number, with what their runs have of a metric. */
export async function listPairs(connection: Connection, decisionId: string, metric: string): Promise<PairRecord[]> {
  const pairs: Stored[] = await connection.decisionPair.findMany({ where: { decisionId }, orderBy: { number: 'asc' } });
  const ids = pairs.flatMap(({ runAId, runBId }) => [runAId, runBId]).filter((id) => id !== null);
  const runs = await queryRows(connection, pairedRow)`
    SELECT run.id, run.number, run.state, run.deleted_at IS NOT NULL AS deleted, series.last_value::text AS value
    FROM run LEFT JOIN metric_series series ON series.run_id = run.id AND series.point_count > 0
      AND series.name = ${databaseText(metric)}
    WHERE run.id = ANY(${ids}::uuid[])`;
  const byId = new Map(runs.map((run) => [run.id, run]));
  return pairs.map(({ runAId, runBId, number, seed, reusedA, reusedB, valueA, valueB, problem }) => ({
    ...{ number, seed, reusedA, reusedB, valueA, valueB, problem },
    runA: byId.get(runAId ?? '') ?? null,
    runB: byId.get(runBId ?? '') ?? null,
  }));
}

/** A run of a new pair, and whether it was there before. */
export interface PairSide {
  runId: string;
  reused: boolean;
}

export async function insertPair(
  connection: Connection,
  pair: { decisionId: string; number: number; seed: number; a: PairSide; b: PairSide },
): Promise<void> {
  const { decisionId, number, seed, a, b } = pair;
  const runs = { runAId: a.runId, runBId: b.runId, reusedA: a.reused, reusedB: b.reused };
  await connection.decisionPair.create({ data: { decisionId, number, seed, ...runs } });
}

/** Writes what became of a pair: the values of its runs, or why it does not count. */
export async function settlePair(
  connection: Connection,
  decisionId: string,
  pair: Pick<PairRecord, 'number' | 'valueA' | 'valueB' | 'problem'>,
): Promise<void> {
  const { number, valueA, valueB, problem } = pair;
  await connection.decisionPair.update({
    where: { decisionId_number: { decisionId, number } },
    data: { valueA, valueB, problem: problem === null ? null : databaseText(problem) },
  });
}

/** Those of the runs that another decision, one that has not ended, waits for. */
export async function listRunsOfOthers(
  connection: Connection,
  decisionId: string,
  runIds: readonly string[],
): Promise<string[]> {
  if (runIds.length === 0) return [];
  const rows = await queryRows(connection, idRow)`
    SELECT run.id FROM run WHERE run.id = ANY(${[...runIds]}::uuid[]) AND EXISTS (
      SELECT FROM decision_pair pair JOIN decision ON decision.id = pair.decision_id
      WHERE decision.id <> ${decisionId}::uuid AND decision.state = 'RUNNING' AND pair.problem IS NULL
        AND (pair.run_a_id = run.id OR pair.run_b_id = run.id))`;
  return rows.map(({ id }) => id);
}

/** A finished run, or one under way, that may stand for a new one of the same configuration and seed. */
const standingRow = z.object({
  id: z.string(),
  state: z.enum(RUN_STATES),
  fingerprint: z.string().nullable(),
  arithmetic: z.string().nullable(),
});
export type StandingRun = z.infer<typeof standingRow>;

/**
 * Runs of a configuration with a seed that are not in the trash: those that succeeded and have the metric, and those under way;
 * the newest first of each. Runs that repeat
 * others to check them are left out, those of projects that are not `within`, and trials of sweeps: by those a configuration may have been chosen.
 */
export async function listStandingRuns(
  connection: Connection,
  of: { configurationHash: string; seed: number; metric: string; within: readonly string[] | null },
): Promise<StandingRun[]> {
  const { configurationHash, seed, metric, within } = of;
  const projects = within === null ? null : [...within];
  return await queryRows(connection, standingRow)`
    SELECT run.id, run.state, run.environment->>'fingerprint' AS fingerprint,
      run.environment->>'arithmetic' AS arithmetic
    FROM run
    WHERE run.configuration_hash = ${configurationHash} AND run.seed = ${seed}::int AND run.deleted_at IS NULL
      AND (${projects}::uuid[] IS NULL OR run.project_id = ANY(${projects}::uuid[]))
      AND run.sweep_trial IS NULL AND run.cancel_requested_at IS NULL
      AND NOT EXISTS (SELECT FROM unnest(run.tags) tag WHERE tag LIKE 'audit:%')
      AND (run.state IN ('WAITING', 'QUEUED', 'RUNNING') OR run.state = 'SUCCEEDED' AND EXISTS (
        SELECT FROM metric_series WHERE run_id = run.id AND name = ${databaseText(metric)} AND point_count > 0))
    ORDER BY run.state = 'SUCCEEDED' DESC, run.number DESC LIMIT 20`;
}
