import { selectWorkers, type WorkerRecord } from '#src/store/records/workerRecord.ts';
import type { ServiceContext } from '../serviceContext.ts';

/** Workers by name: those that live, or also those that have stopped or were not heard of lately. */
export async function listWorkers(
  context: Pick<ServiceContext, 'db'>,
  options: { includeStopped?: boolean | undefined } = {},
): Promise<WorkerRecord[]> {
  return await selectWorkers(context.db, { includeStopped: options.includeStopped ?? false });
}
