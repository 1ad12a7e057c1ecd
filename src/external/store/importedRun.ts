import { z } from 'zod';
import type { RunState } from '#src/base/contracts/runState.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { queryRows } from '#src/base/database/queryRows.ts';
import { storedMessage } from '#src/base/database/storedError.ts';

/** How a run stands that was executed elsewhere. */
export interface ImportedStand {
  state: Extract<RunState, 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED'>;
  /** Null: as it is, or now for a new run. */
  startedAt: Date | null;
  /** Null: the time of the import, where the state is final. */
  endedAt: Date | null;
  errorMessage: string | null;
}

const importedRow = z.object({ imported: z.boolean() });

/** Whether an import made this run: one of an MLflow client has no lease either. */
export async function wasImported(connection: Connection, id: string): Promise<boolean> {
  const [row] = await queryRows(connection, importedRow)`
    SELECT EXISTS (SELECT 1 FROM run_event WHERE run_id = ${id}::uuid AND type = 'imported') AS imported`;
  return row?.imported === true;
}

/** Sets the seed of a run, which its source may tell after its beginning. */
export async function setImportedSeed(connection: Connection, id: string, seed: number): Promise<void> {
  await connection.$executeRaw`UPDATE run SET seed = ${seed}::int WHERE id = ${id}::uuid`;
}

/** Sets state and times of a run without a lease, and of its only attempt. */
export async function setImportedStand(connection: Connection, id: string, stand: ImportedStand): Promise<void> {
  const { state, startedAt, endedAt } = stand;
  const code = state === 'FAILED' ? 'RUN_FAILED' : null;
  const message = state === 'FAILED' ? storedMessage(stand.errorMessage ?? 'its source says that it failed') : null;
  await connection.$executeRaw`
    UPDATE run SET state = ${state}::run_state, started_at = coalesce(${startedAt}::timestamptz, started_at),
      ended_at = CASE WHEN ${state} <> 'RUNNING' THEN coalesce(${endedAt}::timestamptz, ended_at, now()) END,
      progress = CASE WHEN ${state} = 'SUCCEEDED' THEN 1 ELSE progress END,
      error_code = ${code}, error_message = ${message}::text, error_stack = NULL
    WHERE id = ${id}::uuid`;
  await connection.$executeRaw`
    UPDATE attempt SET state = ${state}::attempt_state, started_at = run.started_at, ended_at = run.ended_at,
      error_code = ${code}, error_message = ${message}::text
    FROM run WHERE run.id = ${id}::uuid AND attempt.run_id = run.id AND attempt.number = run.attempt`;
}
