import { WarrenError } from '#src/base/contracts/errors.ts';
import { inTransaction } from '#src/base/database/connection.ts';
import { runNotifications, sendNotifications } from '#src/base/database/sendNotifications.ts';
import { lockSilentPrograms } from '#src/queue/store/reconciliation.ts';
import { selectWorkers, type WorkerRecord } from '#src/fleet/store/workerRecord.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { loseAttempt } from '../attempts/loseAttempt.ts';
import { addRunJobs } from '../runs/addRunJobs.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { requireWorker } from './findWorker.ts';

/**
 * Gives the programs of a worker away at once whose machine is known to be dead: without that nobody gets them before their release
 * time is over, since they may still run.
 * @param reference Name or id of a worker.
 * @throws WarrenError NOT_FOUND when none has it, BAD_INPUT when several have the name, CONFLICT for one that is alive.
 */
export async function releaseWorker(
  context: ServiceContext,
  reference: string,
): Promise<{ worker: WorkerRecord; released: RunRecord[] }> {
  const done = await inTransaction(context.db, async (connection) => {
    const worker = requireWorker(await selectWorkers(connection, { includeStopped: true }), reference);
    if (worker.alive) {
      const message = `worker "${worker.name}" is alive, and its programs with it: drain it, or end it on its machine`;
      throw new WarrenError('CONFLICT', message, { path: 'worker' });
    }
    const changed: RunRecord[] = [];
    const released = await lockSilentPrograms(connection, worker.id);
    for (const run of released) {
      const error = { code: 'WORKER_LOST', message: `its worker ${worker.name} was said to be dead` } as const;
      changed.push(...(await loseAttempt(connection, run, { state: 'LOST', error })));
    }
    await sendNotifications(connection, [...runNotifications(changed), { type: 'workers' }]);
    return { worker, released, changed };
  });
  await addRunJobs(
    context,
    done.changed.filter(({ state }) => state === 'QUEUED'),
  );
  return done;
}

/** For what a program waits of whose worker nothing is heard; null where its lease holds. */
export function whatSilentProgramWaitsFor({
  state,
  needs,
  leaseExpiresAt,
}: Pick<RunRecord, 'state' | 'needs' | 'leaseExpiresAt'>): string | null {
  if (state !== 'RUNNING' || needs === null || leaseExpiresAt === null) return null;
  if (leaseExpiresAt.getTime() >= Date.now()) return null;
  return 'the other worker to let go (`warren workers release`, where that machine is dead)';
}
