import { closeAttempt } from '#src/runs/store/attemptRecord.ts';
import { inTransaction } from '#src/base/database/connection.ts';
import { endRun, type Holder, lockHeldRun, requeueRun } from '#src/runs/store/moveRun.ts';
import { addRunEvents } from '#src/runs/store/runEvent.ts';
import { runNotifications, sendNotifications } from '#src/base/database/sendNotifications.ts';
import { addRunJobs } from '#src/runs/addRunJobs.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { askedEnd } from './loseAttempt.ts';

/**
 * Gives a run back because its worker stops: it is queued again at once, from its last checkpoint, and the attempt does
 * not count against its maximum. A run that was asked to stop ends. Nothing happens when it is held no more.
 * @param input.reason For people: `the worker is shutting down`.
 */
export async function releaseRun(context: ServiceContext, input: Holder & { reason: string }): Promise<void> {
  const changed = await inTransaction(context.db, async (connection) => {
    const run = await lockHeldRun(connection, input);
    if (run === null) return [];
    const end = { state: 'LOST', errorMessage: input.reason } as const;
    await closeAttempt(connection, { runId: run.id, number: run.attempt }, end);
    const asked = askedEnd(run);
    const moved =
      asked === null ? await requeueRun(connection, run.id, 0) : await endRun(connection, run.id, asked.state);
    const message = asked?.message ?? `Given back to the queue: ${input.reason}`;
    await addRunEvents(connection, [{ runId: run.id, type: asked === null ? 'released' : 'ended', message }]);
    const runs = moved === null ? [] : [moved];
    await sendNotifications(connection, runNotifications(runs));
    return runs;
  });
  await addRunJobs(context, changed);
}
