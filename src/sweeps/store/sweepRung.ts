import { z } from 'zod';
import { RUN_STATES } from '#src/base/contracts/runState.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { float8Text, queryRows } from '#src/base/database/queryRows.ts';

const mayRow = z.object({ may: z.boolean() });
const meanRow = z.object({ mean: float8Text.nullable() });

/** A row of `sweep_rung`: a trial where its sweep decided whether it goes on. */
const rungRow = z.object({
  trial: z.int(),
  /** Values of the metric that its runs had reported. */
  iteration: z.int(),
  /** The mean over the runs that had come so far; may be NaN or infinite. */
  value: float8Text,
  /** How many they were. */
  runs: z.int(),
  /** Whether all runs of the trial have succeeded by now. */
  finished: z.boolean(),
});
export type RungRecord = z.infer<typeof rungRow>;
const rungRunsRow = rungRow.pick({ trial: true, iteration: true, runs: true });

/** A run of a trial, and how far the metric that is watched has come in it. */
const watchedRow = z.object({
  id: z.string(),
  trial: z.int(),
  state: z.enum(RUN_STATES),
  /** Somebody has continued it after it was stopped early. */
  spared: z.boolean(),
  /** Of the series, a decimal number; null where nothing is reported yet. */
  seriesId: z.string().nullable(),
  points: z.int(),
});
export type WatchedRun = z.infer<typeof watchedRow>;

/** Whether the sweep of this run may stop it early. */
export async function mayPrune(connection: Connection, runId: string): Promise<boolean> {
  const rows = await queryRows(connection, mayRow)`
    SELECT NOT run.spared AND coalesce(sweep.definition->'earlyStopping', 'null') <> 'null' AS may
    FROM run JOIN sweep ON sweep.id = run.sweep_id WHERE run.id = ${runId}::uuid AND run.sweep_trial IS NOT NULL`;
  return rows[0]?.may === true;
}

/** The runs of a sweep's trials that have points of a metric, or could still be stopped; of one trial, or of all. */
export async function listWatchedRuns(
  connection: Connection,
  sweepId: string,
  { metric, trial }: { metric: string; trial: number | null },
): Promise<WatchedRun[]> {
  return await queryRows(connection, watchedRow)`
    SELECT run.id, run.sweep_trial AS trial, run.state, run.spared, series.id::text AS "seriesId",
      coalesce(series.point_count, 0)::int AS points
    FROM run LEFT JOIN metric_series series ON series.run_id = run.id AND series.name = ${metric}
    WHERE run.sweep_id = ${sweepId}::uuid AND run.sweep_trial IS NOT NULL
      AND (${trial}::int IS NULL OR run.sweep_trial = ${trial}::int)
    ORDER BY run.sweep_trial, run.seed`;
}

/** How many runs each trial of a sweep had at each of its rungs; of one trial, or of all. */
export async function listRungs(
  connection: Connection,
  sweepId: string,
  trial: number | null,
): Promise<{ trial: number; iteration: number; runs: number }[]> {
  return await queryRows(connection, rungRunsRow)`
    SELECT trial, iteration, runs FROM sweep_rung
    WHERE sweep_id = ${sweepId}::uuid AND (${trial}::int IS NULL OR trial = ${trial}::int)`;
}

/** Everything known at one iteration, and of one trial at all of them. */
export async function listRungValues(
  connection: Connection,
  sweepId: string,
  { iteration, trial }: { iteration: number; trial: number },
): Promise<RungRecord[]> {
  return await queryRows(connection, rungRow)`
    SELECT trial, iteration, value::text, runs,
      (SELECT coalesce(bool_and(run.state = 'SUCCEEDED'), false) FROM run
        WHERE run.sweep_id = sweep_rung.sweep_id AND run.sweep_trial = sweep_rung.trial) AS finished
    FROM sweep_rung WHERE sweep_id = ${sweepId}::uuid
      AND (iteration = ${iteration}::int OR trial = ${trial}::int)`;
}

/** Writes where a trial stood at a rung, over what was known of it there. */
export async function putRung(
  connection: Connection,
  sweepId: string,
  rung: Omit<RungRecord, 'finished'> & { kept: boolean },
): Promise<void> {
  await connection.$executeRaw`
    INSERT INTO sweep_rung (sweep_id, trial, iteration, value, runs, kept)
    VALUES (${sweepId}::uuid, ${rung.trial}::int, ${rung.iteration}::int, ${rung.value}::float8, ${rung.runs}::int, ${rung.kept})
    ON CONFLICT (sweep_id, trial, iteration) DO UPDATE
      SET value = excluded.value, runs = excluded.runs, kept = excluded.kept, judged_at = now()`;
}

/**
 * The mean over series of their value at an iteration, the first being 1.
 * @param of Which of the values up to there counts; extremes are of finite ones.
 */
export async function meanAtIteration(
  connection: Connection,
  seriesIds: readonly string[],
  { iteration, of }: { iteration: number; of: 'last' | 'minimum' | 'maximum' },
): Promise<number> {
  const rows = await queryRows(connection, meanRow)`
    SELECT avg(reached.value)::text AS mean
    FROM unnest(${[...seriesIds]}::text[]::int8[]) AS given (id)
    CROSS JOIN LATERAL (
      SELECT CASE ${of} WHEN 'last' THEN (array_agg(value ORDER BY step DESC))[1]
        WHEN 'minimum' THEN coalesce(min(value) FILTER (WHERE value > '-Infinity' AND value < 'Infinity'), 'NaN')
        ELSE coalesce(max(value) FILTER (WHERE value > '-Infinity' AND value < 'Infinity'), 'NaN') END AS value
      FROM (SELECT step, value FROM series_points(given.id) ORDER BY step LIMIT ${iteration}::int) early
    ) reached`;
  return rows[0]?.mean ?? Number.NaN;
}
