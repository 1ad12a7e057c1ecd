import { WarrenError } from '#src/base/contracts/errors.ts';
import { closeAttempt, insertAttempt } from '#src/runs/store/attemptRecord.ts';
import { inTransaction } from '#src/base/database/connection.ts';
import { renewExternalLease } from '#src/runs/store/externalLease.ts';
import { removeLaterPoints } from '#src/metrics/store/removeLaterPoints.ts';
import { addRunEvents } from '#src/runs/store/runEvent.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { runNotifications, sendNotifications } from '#src/base/database/sendNotifications.ts';
import { lockExternalRun, whyRefused } from '#src/runs/externalRun.ts';
import { checkedInteger } from '#src/base/contracts/runFields.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

/**
 * A program started anew goes on with an external run that has ended, or whose earlier program was replaced before that was
 * noticed: RUNNING as the next attempt, so that its log lines count from 0 again.
 * @param input.afterStep The step of the checkpoint it goes on from: later points are removed, to be written anew.
 * @throws WarrenError NOT_FOUND, BAD_INPUT, and CONFLICT when the run is in the trash or a sweep's trial that succeeded.
 */
export async function resumeExternalRun(
  context: Pick<ServiceContext, 'db'>,
  input: { runId: string; afterStep?: number | null | undefined },
): Promise<RunRecord> {
  const afterStep = input.afterStep ?? null;
  if (afterStep !== null) {
    checkedInteger(afterStep, { path: 'afterStep', minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
  }
  return await inTransaction(context.db, async (connection) => {
    const before = await lockExternalRun(connection, input.runId);
    const run = await renewExternalLease(connection, before.id, { newAttempt: true });
    if (run === null) throw new WarrenError('CONFLICT', whyRefused(before), { path: 'runId' });
    const replaced = { state: 'LOST', errorCode: 'PROGRAM_LOST', errorMessage: 'another program went on' } as const;
    await closeAttempt(connection, { runId: run.id, number: before.attempt }, replaced);
    const executor = { workerId: null, workerName: '', backend: null, device: null };
    await insertAttempt(connection, { runId: run.id, number: run.attempt, ...executor, resumedFromStep: afterStep });
    if (afterStep !== null) await removeLaterPoints(connection, run.id, afterStep);
    const place = afterStep === null ? '' : `, after step ${afterStep}`;
    const message = `Resumed by its program as attempt ${run.attempt}${place}`;
    await addRunEvents(connection, [{ runId: run.id, type: 'resumed', message, data: { attempt: run.attempt } }]);
    await sendNotifications(connection, runNotifications([run]));
    return run;
  });
}
