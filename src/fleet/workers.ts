import { inTransaction } from '#src/base/database/connection.ts';
import { sendNotifications } from '#src/base/database/sendNotifications.ts';
import {
  markWorkerStopped,
  type NewWorker,
  touchWorker,
  upsertWorker,
  selectWorkers,
  type WorkerRecord,
} from '#src/fleet/store/workerRecord.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

/** Makes a worker known, before it takes its first run. */
export async function registerWorker(context: Pick<ServiceContext, 'db'>, worker: NewWorker): Promise<void> {
  await inTransaction(context.db, async (connection) => {
    await upsertWorker(connection, worker);
    await sendNotifications(connection, [{ type: 'workers' }]);
  });
}

/**
 * Says that the worker lives, every `heartbeatMs`.
 * @returns whether it is to take no new runs, and the time by the database's clock; null when the database does not know it: register again.
 */
export async function heartbeatWorker(
  context: Pick<ServiceContext, 'db'>,
  workerId: string,
): Promise<{ draining: boolean; nowMs: number } | null> {
  return await touchWorker(context.db, workerId);
}

/** Says that the worker has stopped of its own accord. */
export async function stopWorker(context: Pick<ServiceContext, 'db'>, workerId: string): Promise<void> {
  await inTransaction(context.db, async (connection) => {
    await markWorkerStopped(connection, workerId);
    await sendNotifications(connection, [{ type: 'workers' }]);
  });
}

/** Workers by name: those that live, or also those that have stopped or were not heard of lately. */
export async function listWorkers(
  context: Pick<ServiceContext, 'db'>,
  options: { includeStopped?: boolean | undefined } = {},
): Promise<WorkerRecord[]> {
  return await selectWorkers(context.db, { includeStopped: options.includeStopped ?? false });
}
