import { z } from 'zod';
import type { QueuePayload } from '#src/base/contracts/queuePayload.ts';
import { TIMING } from '#src/base/platform/timing.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { queryRows } from '#src/base/database/queryRows.ts';
import { NOT_PAUSED } from '#src/queue/store/queuePause.ts';
import { RUN_COLUMNS, type RunRecord, runRow } from '#src/runs/store/runRecord.ts';

const requestsRow = z.object({ cancelRequested: z.boolean(), pruneRequested: z.boolean() });

/** Clocks of the queue and of the database may differ by this much. */
const SLACK_MS = 1_000;

/**
 * Takes a queued run for a worker in one atomic update: QUEUED → RUNNING with the payload's attempt, a lease, and the
 * worker as fencing token. Null when somebody else has it, the attempt is stale, the run is not due yet or its kind is paused,
 * or the worker is to take no more.
 */
export async function claimQueuedRun(
  connection: Connection,
  payload: QueuePayload,
  workerId: string,
): Promise<RunRecord | null> {
  const rows = await queryRows(connection, runRow)`
    UPDATE run SET state = 'RUNNING', attempt = ${payload.attempt}::int, worker_id = ${workerId}::uuid,
      lease_expires_at = now() + ${TIMING.leaseMs}::int * interval '1 millisecond', not_before = NULL,
      cancel_requested_at = NULL, prune_requested_at = NULL, started_at = coalesce(started_at, now()), ended_at = NULL,
      error_code = NULL, error_message = NULL, error_stack = NULL, progress = 0, progress_message = ''
    WHERE id = ${payload.runId}::uuid AND state = 'QUEUED' AND attempt = ${payload.attempt - 1}::int
      AND deleted_at IS NULL AND ${NOT_PAUSED}
      AND NOT EXISTS (SELECT FROM worker WHERE worker.id = ${workerId}::uuid AND drain_requested_at IS NOT NULL)
      AND (not_before IS NULL OR not_before <= now() + ${SLACK_MS}::int * interval '1 millisecond')
    RETURNING ${RUN_COLUMNS}`;
  return rows[0] ?? null;
}

/**
 * Extends the lease of an attempt.
 * @returns null when the attempt does not hold the run any more, else whether it has been asked to stop, for good or early.
 */
export async function extendLease(
  connection: Connection,
  holder: { runId: string; attempt: number; workerId: string },
): Promise<{ cancelRequested: boolean; pruneRequested: boolean } | null> {
  const rows = await queryRows(connection, requestsRow)`
    UPDATE run SET lease_expires_at = now() + ${TIMING.leaseMs}::int * interval '1 millisecond'
    WHERE id = ${holder.runId}::uuid AND attempt = ${holder.attempt}::int AND worker_id = ${holder.workerId}::uuid
      AND state = 'RUNNING'
    RETURNING cancel_requested_at IS NOT NULL AS "cancelRequested",
      prune_requested_at IS NOT NULL AS "pruneRequested"`;
  return rows[0] ?? null;
}
