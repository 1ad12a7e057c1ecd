import { isFinal } from '#src/base/contracts/runState.ts';
import type { Database } from '#src/base/platform/postgres/database.ts';
import { findRunsById, type RunRecord } from '#src/runs/store/runRecord.ts';
import { waitUntil } from '../support/waitUntil.ts';

export interface AttemptFact {
  number: number;
  state: string;
  errorCode: string | null;
  resumedFromStep: number | null;
  startedAt: Date;
}

export async function attemptsOf(db: Database, runId: string): Promise<AttemptFact[]> {
  return await db.$queryRaw<AttemptFact[]>`
    SELECT number, state::text, error_code AS "errorCode", resumed_from_step::int AS "resumedFromStep",
      started_at AS "startedAt"
    FROM attempt WHERE run_id = ${runId}::uuid ORDER BY number`;
}

/** The points of a run's series as the database has them, doubles and all, by step. */
export async function pointsOf(db: Database, runId: string, name: string): Promise<{ step: number; value: number }[]> {
  return await db.$queryRaw<{ step: number; value: number }[]>`
    SELECT step::float8 AS step, value FROM metric_series CROSS JOIN LATERAL series_points(metric_series.id)
    WHERE run_id = ${runId}::uuid AND name = ${name} ORDER BY step`;
}

export async function runOf(db: Database, runId: string): Promise<RunRecord> {
  const [run] = await findRunsById(db, [runId]);
  if (run === undefined) throw new Error(`no run ${runId}`);
  return run;
}

/** Waits until the runs have ended, or are in the state asked for. */
export async function runsReach(
  db: Database,
  runs: readonly { id: string }[],
  options: { state?: string; timeoutMs?: number } = {},
): Promise<RunRecord[]> {
  const { state, timeoutMs = 40_000 } = options;
  const ids = runs.map(({ id }) => id);
  return await waitUntil(
    `${ids.length} runs are ${state ?? 'final'}`,
    async () => {
      const found = await findRunsById(db, ids).catch(() => []);
      const arrived = found.filter((run) => (state === undefined ? isFinal(run.state) : run.state === state));
      return arrived.length === ids.length && found;
    },
    timeoutMs,
  );
}
