import type { ErrorRecord } from '#src/base/contracts/errors.ts';
import { type RunState, statesBefore } from '#src/base/contracts/runState.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { queryRows } from '#src/base/database/queryRows.ts';
import { storedMessage, storedStack } from '#src/base/database/storedError.ts';
import { RUN_COLUMNS, type RunRecord, runRow } from './runRecord.ts';

/** Who must hold a run so that a change applies. */
export interface Holder {
  runId: string;
  attempt: number;
  workerId: string;
}

/** Locks the run if the attempt still holds it; null when it does not. */
export async function lockHeldRun(connection: Connection, holder: Holder): Promise<RunRecord | null> {
  const rows = await queryRows(connection, runRow)`
    SELECT ${RUN_COLUMNS} FROM run
    WHERE id = ${holder.runId}::uuid AND attempt = ${holder.attempt}::int AND worker_id = ${holder.workerId}::uuid
      AND state = 'RUNNING' FOR NO KEY UPDATE`;
  return rows[0] ?? null;
}

/**
 * Ends a run: final state, no lease, error if there is one; the worker that had it last stays known.
 * @returns the run, or null when its state does not allow it (it has ended already).
 */
export async function endRun(
  connection: Connection,
  runId: string,
  state: Extract<RunState, 'SUCCEEDED' | 'FAILED' | 'CANCELLED' | 'CRASHED' | 'PRUNED'>,
  error: ErrorRecord | null = null,
): Promise<RunRecord | null> {
  const rows = await queryRows(connection, runRow)`
    UPDATE run SET state = ${state}::run_state, ended_at = now(), lease_expires_at = NULL, not_before = NULL,
      progress = CASE WHEN ${state} = 'SUCCEEDED' THEN 1 ELSE progress END,
      error_code = ${error?.code ?? null}, error_message = ${error === null ? null : storedMessage(error.message)},
      error_stack = ${error?.stack === undefined ? null : storedStack(error.stack)}
    WHERE id = ${runId}::uuid AND state = ANY(${statesBefore(state)}::text[]::run_state[])
    RETURNING ${RUN_COLUMNS}`;
  return rows[0] ?? null;
}

/**
 * Puts a run (back) into the queue, to be claimed after `delayMs`.
 * @returns the run, or null when its state does not allow it.
 */
export async function requeueRun(connection: Connection, runId: string, delayMs: number): Promise<RunRecord | null> {
  const rows = await queryRows(connection, runRow)`
    UPDATE run SET state = 'QUEUED', worker_id = NULL, lease_expires_at = NULL, cancel_requested_at = NULL,
      ended_at = NULL, error_code = NULL, error_message = NULL, error_stack = NULL,
      not_before = now() + ${Math.round(delayMs)}::int * interval '1 millisecond'
    WHERE id = ${runId}::uuid AND state = ANY(${statesBefore('QUEUED')}::text[]::run_state[])
    RETURNING ${RUN_COLUMNS}`;
  return rows[0] ?? null;
}
