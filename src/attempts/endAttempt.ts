import { type ErrorRecord, INFRASTRUCTURE_CODES, WarrenError } from '#src/base/contracts/errors.ts';
import { type AttemptState, closeAttempt, listAttempts, ranOutOfMemory } from '#src/runs/store/attemptRecord.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { endRun, type Holder, lockHeldRun, requeueRun } from '#src/runs/store/moveRun.ts';
import { addRunEvents } from '#src/runs/store/runEvent.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { runNotifications, sendNotifications } from '#src/base/database/sendNotifications.ts';
import { settleWaitingRuns } from '#src/runs/store/waitingRuns.ts';
import { addRunJobs } from '#src/runs/addRunJobs.ts';
import { askedEnd, loseAttempt } from './loseAttempt.ts';
import { publicFailure } from './publicFailure.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { driveDecisionsOf } from '../decisions/driveDecision.ts';
import { driveSweep } from '../sweeps/driveSweep.ts';

export type AttemptOutcome =
  | { state: 'SUCCEEDED' }
  | { state: 'CANCELLED' | 'PRUNED' }
  | { state: 'FAILED'; error: ErrorRecord };

export interface AttemptEndInput extends Holder {
  outcome: AttemptOutcome;
  /** Whether its worker executed other runs at the same time; default false. */
  besideOthers?: boolean;
}

/**
 * Ends an attempt that its worker holds. A failure of the machinery (`INFRASTRUCTURE_CODES`) with attempts left puts the
 * run back into the queue with backoff, and one that ran out of memory beside other runs is tried once more, with a worker for
 * itself; everything else ends the run. Telling the same end twice changes nothing.
 * @throws WarrenError LEASE_LOST when the attempt does not hold the run any more and ended otherwise.
 */
export async function endAttempt(context: ServiceContext, input: AttemptEndInput): Promise<void> {
  const changed = await inTransaction(context.db, async (connection) => {
    const run = await lockHeldRun(connection, input);
    if (run === null) {
      await refuseUnlessEnded(connection, input);
      return [];
    }
    const runs = await applyOutcome(connection, run, input);
    await sendNotifications(connection, runNotifications(runs));
    return runs;
  });
  await addRunJobs(context, changed);
  await driveSweepsOf(context, changed);
  await driveDecisionsOf(context, changed);
}

/** Lets sweeps draw their next trials at once. Never fails: the reconciler drives what could not be driven here. */
async function driveSweepsOf(context: ServiceContext, runs: readonly RunRecord[]): Promise<void> {
  const ids = new Set(runs.flatMap((run) => (run.sweepTrial === null ? [] : (run.sweepId ?? []))));
  for (const id of ids) await driveSweep(context, id).catch(() => {});
}

async function refuseUnlessEnded(connection: Connection, input: Holder & { outcome: AttemptOutcome }): Promise<void> {
  const attempts = await listAttempts(connection, [input.runId]);
  const own = attempts.find((attempt) => attempt.number === input.attempt && attempt.workerId === input.workerId);
  if (own?.state === input.outcome.state) return;
  throw new WarrenError('LEASE_LOST', `attempt ${input.attempt} does not hold run ${input.runId} any more`);
}

/** Queues a run for its second try, alone; null when it had that, or may not be tried again. */
async function tryAlone(connection: Connection, run: RunRecord, error: ErrorRecord): Promise<RunRecord | null> {
  if (askedEnd(run) !== null || run.maxAttempts === 1) return null;
  if (await ranOutOfMemory(connection, { runId: run.id, number: run.attempt - 1 })) return null;
  const end = { state: 'FAILED', errorCode: error.code, errorMessage: error.message } as const;
  await closeAttempt(connection, { runId: run.id, number: run.attempt }, end);
  const requeued = await requeueRun(connection, run.id, 0);
  const message = `Back in the queue, to run alone on its worker: ${error.message}`;
  await addRunEvents(connection, [{ runId: run.id, type: 'requeued', message }]);
  return requeued;
}

async function applyOutcome(
  connection: Connection,
  run: RunRecord,
  { outcome, besideOthers = false }: AttemptEndInput,
): Promise<RunRecord[]> {
  const error = outcome.state === 'FAILED' ? publicFailure(outcome.error) : null;
  if (error?.code === 'OUT_OF_MEMORY' && besideOthers) {
    const requeued = await tryAlone(connection, run, error);
    if (requeued !== null) return [requeued];
  }
  if (error !== null && INFRASTRUCTURE_CODES.has(error.code)) {
    return await loseAttempt(connection, run, { state: 'FAILED', error });
  }
  const end: { state: AttemptState; errorCode?: string; errorMessage?: string } = { state: outcome.state };
  if (error !== null) Object.assign(end, { errorCode: error.code, errorMessage: error.message });
  await closeAttempt(connection, { runId: run.id, number: run.attempt }, end);
  const ended = await endRun(connection, run.id, outcome.state, error);
  const words = {
    SUCCEEDED: 'Succeeded',
    CANCELLED: 'Cancelled',
    PRUNED: 'Stopped early',
    FAILED: `Failed: ${error?.message}`,
  };
  const data = { attempt: run.attempt, state: outcome.state };
  await addRunEvents(connection, [{ runId: run.id, type: 'ended', message: words[outcome.state], data }]);
  const { queued, failed } = await settleWaitingRuns(connection, run.id);
  return [...(ended === null ? [] : [ended]), ...queued, ...failed];
}
