import { inTransaction } from '#src/base/database/connection.ts';
import { sendNotifications } from '#src/base/database/sendNotifications.ts';
import { selectWorkers, setDraining, type WorkerRecord } from '#src/fleet/store/workerRecord.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { requireWorker } from './findWorker.ts';

/**
 * Has a worker take no new runs and finish those that it has, or take runs again. It is about the process: one that is
 * started again takes runs.
 * @param reference Name or id of a worker that is alive.
 * @throws WarrenError NOT_FOUND when none that is alive has it, BAD_INPUT when several have the name.
 */
export async function drainWorker(
  context: Pick<ServiceContext, 'db'>,
  reference: string,
  { draining }: { draining: boolean },
): Promise<WorkerRecord> {
  return await inTransaction(context.db, async (connection) => {
    const worker = requireWorker(await selectWorkers(connection, { includeStopped: false }), reference);
    await setDraining(connection, worker.id, draining);
    await sendNotifications(connection, [{ type: 'workers' }]);
    const [changed] = await selectWorkers(connection, { includeStopped: true, ids: [worker.id] });
    return changed ?? worker;
  });
}
