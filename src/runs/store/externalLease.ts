import { z } from 'zod';
import { invariant } from '#src/base/lib/invariant.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseText } from '#src/base/database/databaseText.ts';
import { queryRows } from '#src/base/database/queryRows.ts';
import { RUN_COLUMNS, type RunRecord, runRow } from './runRecord.ts';

const pauseRow = z.object({ pauseMs: z.number().nullable() });

/** What a report of an external run changes in its row. */
export interface ExternalReport {
  /** Whether metric points follow, for which `metric_cursor` is raised. */
  hasMetrics?: boolean;
  /** 0 to 1. */
  progress?: number | null | undefined;
  progressMessage?: string | null | undefined;
  /** A program started anew goes on with the run, as the next attempt. */
  newAttempt?: boolean;
}

/**
 * Renews the lease of an external run from now; one that had crashed runs again, with a new attempt one that ended in
 * another way, too, unless it is a trial that succeeded; what was stopped early is not stopped early again.
 * @returns the run, or null when it has ended or a worker executes it.
 */
export async function renewExternalLease(
  connection: Connection,
  id: string,
  report: ExternalReport,
): Promise<RunRecord | null> {
  const { hasMetrics = false, newAttempt = false, progress = null, progressMessage = null } = report;
  const rows = await queryRows(connection, runRow)`
    UPDATE run SET state = 'RUNNING', last_heard_at = now(), lease_expires_at = now() + lease_seconds * interval '1 second',
      ended_at = NULL, spared = spared OR state = 'PRUNED', error_code = NULL, error_message = NULL, error_stack = NULL,
      attempt = attempt + ${newAttempt ? 1 : 0}::int, metric_cursor = metric_cursor + ${hasMetrics ? 1 : 0}::int,
      progress = coalesce(${progress}::float8, progress),
      progress_message = coalesce(${progressMessage === null ? null : databaseText(progressMessage)}::text, progress_message)
    WHERE id = ${id}::uuid AND (state IN ('RUNNING', 'CRASHED') OR ${newAttempt} AND (state IN ('FAILED', 'CANCELLED', 'PRUNED') OR state = 'SUCCEEDED' AND sweep_id IS NULL)) AND worker_id IS NULL AND lease_seconds IS NOT NULL
      AND deleted_at IS NULL
    RETURNING ${RUN_COLUMNS}`;
  return rows[0] ?? null;
}

/** What the program of a command reports of a run that is locked and that its worker keeps. */
export async function noteReport(
  connection: Connection,
  id: string,
  { hasMetrics = false, progress = null, progressMessage = null }: Omit<ExternalReport, 'newAttempt'>,
): Promise<RunRecord> {
  const rows = await queryRows(connection, runRow)`
    UPDATE run SET last_heard_at = now(), metric_cursor = metric_cursor + ${hasMetrics ? 1 : 0}::int,
      progress = coalesce(${progress}::float8, progress),
      progress_message = coalesce(${progressMessage === null ? null : databaseText(progressMessage)}::text, progress_message)
    WHERE id = ${id}::uuid RETURNING ${RUN_COLUMNS}`;
  const [run] = rows;
  invariant(run !== undefined, 'a run that is locked is there');
  return run;
}

/**
 * Notes that a server listens to programs now, and gives external runs the time since the last note back when it was longer
 * than `longestPauseMs`: nobody could hear them then.
 */
export async function noteListening(connection: Connection, longestPauseMs: number): Promise<void> {
  const rows = await queryRows(connection, pauseRow)`
    WITH previous AS (SELECT last_listened_at FROM program_listener WHERE id = 1)
    INSERT INTO program_listener (id, last_listened_at) VALUES (1, now())
    ON CONFLICT (id) DO UPDATE SET last_listened_at = excluded.last_listened_at
    RETURNING (SELECT extract(epoch FROM now() - last_listened_at)::float8 * 1000 FROM previous) AS "pauseMs"`;
  const pauseMs = rows[0]?.pauseMs ?? 0;
  if (pauseMs <= longestPauseMs) return;
  await connection.$executeRaw`
    UPDATE run SET lease_expires_at = least(lease_expires_at + ${pauseMs}::float8 * interval '1 millisecond',
      now() + lease_seconds * interval '1 second')
    WHERE state = 'RUNNING' AND lease_seconds IS NOT NULL`;
}
