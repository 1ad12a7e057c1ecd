import { isFinal } from '#src/base/contracts/runState.ts';
import { closeAttempt } from '#src/runs/store/attemptRecord.ts';
import { cancelIdleRuns, requestCancellation } from '#src/runs/store/changeRuns.ts';
import { inTransaction } from '#src/base/database/connection.ts';
import { addRunEvents } from '#src/runs/store/runEvent.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { runNotifications, sendNotifications } from '#src/base/database/sendNotifications.ts';
import { settleWaitingRuns } from '#src/runs/store/waitingRuns.ts';
import { removeRunJobs } from './addRunJobs.ts';
import { type Change, changeEach, type RunOutcome } from './runOutcome.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

/**
 * Stops runs: waiting, queued, external and crashed ones end at once; where a worker executes it, that is told, which takes
 * at most two seconds. Runs that wait for a cancelled one fail.
 * @param references Ids or numbers.
 */
export async function cancelRuns(context: ServiceContext, references: readonly string[]): Promise<RunOutcome[]> {
  const dequeued: RunRecord[] = [];
  const outcomes = await inTransaction(context.db, async (connection) => {
    dequeued.length = 0;
    return await changeEach(connection, references, async (runs) => {
      const ids = runs.map((run) => run.id);
      const ended = await cancelIdleRuns(connection, ids);
      const asked = await requestCancellation(connection, ids);
      for (const run of ended.filter((other) => other.attempt > 0)) {
        await closeAttempt(connection, { runId: run.id, number: run.attempt }, { state: 'CANCELLED' });
      }
      await addRunEvents(connection, [
        ...ended.map((run) => ({ runId: run.id, type: 'ended', message: 'Cancelled' }) as const),
        ...asked.map((run) => ({ runId: run.id, type: 'cancelRequested', message: 'Asked to stop' }) as const),
      ]);
      const settled = ended.length > 0 ? await settleWaitingRuns(connection) : { queued: [], failed: [] };
      await sendNotifications(connection, [
        ...asked.map((run) => ({ type: 'cancel', runId: run.id }) as const),
        ...runNotifications([...ended, ...asked, ...settled.queued, ...settled.failed]),
      ]);
      dequeued.push(...ended);
      const changes = new Map<string, Change>([...ended, ...asked].map((run) => [run.id, { run }]));
      for (const run of runs.filter((other) => isFinal(other.state) && !changes.has(other.id))) {
        changes.set(run.id, { refused: `run ${run.number} has ended already (${run.state})` });
      }
      return changes;
    });
  });
  await removeRunJobs(context, dequeued);
  return outcomes;
}
