import type { QueuePayload } from '#src/contracts/queuePayload.ts';
import { ranOutOfMemory } from '#src/store/attempts/attemptRecord.ts';
import type { ServiceContext } from '../serviceContext.ts';

/** Whether an attempt gets its worker for itself: the one before ran out of memory beside other runs. */
export async function runsAlone(context: Pick<ServiceContext, 'db'>, payload: QueuePayload): Promise<boolean> {
  if (payload.attempt === 1) return false;
  return await ranOutOfMemory(context.db, { runId: payload.runId, number: payload.attempt - 1 });
}
