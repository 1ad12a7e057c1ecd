import type { ErrorRecord } from '#src/base/contracts/errors.ts';
import { TIMING } from '#src/base/platform/timing.ts';
import { closeAttempt, countSpentAttempts } from '#src/runs/store/attemptRecord.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { endRun, requeueRun } from '#src/runs/store/moveRun.ts';
import { addRunEvents } from '#src/runs/store/runEvent.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { settleWaitingRuns } from '#src/runs/store/waitingRuns.ts';

/** Pause before the next attempt after `spent` attempts (1 or more): 1 s, doubled each time, at most a minute. */
export function backoffMs(spent: number): number {
  return Math.min(TIMING.longestBackoffMs, TIMING.firstBackoffMs * 2 ** (spent - 1));
}

/** How a run ends that was asked to stop, whatever becomes of its attempt; null where nobody asked. */
export function askedEnd({
  cancelRequestedAt,
  pruneRequestedAt,
}: RunRecord): { state: 'CANCELLED' | 'PRUNED'; message: string } | null {
  if (cancelRequestedAt !== null) return { state: 'CANCELLED', message: 'Cancelled' };
  return pruneRequestedAt === null ? null : { state: 'PRUNED', message: 'Stopped early' };
}

/**
 * Ends the current attempt of a running run because the machinery failed it, not the user's own code: the run goes back
 * to the queue after a pause, or ends as CANCELLED or PRUNED when that was asked for, or as FAILED when its attempts are used up.
 * @param state FAILED when the attempt itself told so, LOST when nothing was heard of it.
 * @returns the runs that changed (this one and any that waited for it); those that are QUEUED want a job.
 */
export async function loseAttempt(
  connection: Connection,
  run: RunRecord,
  failure: { state: 'FAILED' | 'LOST'; error: ErrorRecord },
): Promise<RunRecord[]> {
  const { state, error } = failure;
  const end = { state, errorCode: error.code, errorMessage: error.message };
  await closeAttempt(connection, { runId: run.id, number: run.attempt }, end);
  await addRunEvents(connection, [
    {
      runId: run.id,
      type: 'lost',
      message: `Attempt ${run.attempt} was lost: ${error.message}`,
      data: { attempt: run.attempt, code: error.code },
    },
  ]);
  const spent = await countSpentAttempts(connection, run.id);
  const asked = askedEnd(run);
  if (asked === null && spent < run.maxAttempts) {
    const delayMs = backoffMs(spent);
    const requeued = await requeueRun(connection, run.id, delayMs);
    const message = `Back in the queue, to start in ${delayMs / 1000} s at the earliest`;
    await addRunEvents(connection, [{ runId: run.id, type: 'requeued', message }]);
    return requeued === null ? [] : [requeued];
  }
  const final = await endRun(connection, run.id, asked?.state ?? 'FAILED', asked === null ? error : null);
  const message = asked?.message ?? `Failed after ${spent} attempts: ${error.message}`;
  await addRunEvents(connection, [{ runId: run.id, type: 'ended', message }]);
  const { queued, failed } = await settleWaitingRuns(connection, run.id);
  return [...(final === null ? [] : [final]), ...queued, ...failed];
}
