import type { QueuePayload } from '#src/base/contracts/queuePayload.ts';
import { type ClaimedRun, claimRun } from '#src/attempts/claimRun.ts';
import { releaseRun } from '#src/attempts/releaseRun.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import type { NewWorker } from '#src/fleet/store/workerRecord.ts';
import { isFinalDatabaseFailure } from './databaseFailure.ts';
import { retryUntilDone } from '../shared/retry.ts';

/** A job is left to the reconciler when the database has been away this long. */
const PATIENCE_MS = 60_000;

/**
 * Claims the run of a job; null when the job is stale. A claim whose answer was lost with the connection may have been
 * made all the same: the run is then given back, which costs it no attempt.
 */
export async function claimJob(
  context: ServiceContext,
  payload: QueuePayload,
  worker: Pick<NewWorker, 'id' | 'name' | 'backend' | 'device'>,
): Promise<ClaimedRun | null> {
  const input = {
    payload,
    workerId: worker.id,
    workerName: worker.name,
    backend: worker.backend,
    device: worker.device,
  };
  const deadline = performance.now() + PATIENCE_MS;
  let isUncertain = false;
  const options = {
    isFinal: (thrown: unknown) => isFinalDatabaseFailure(thrown) || performance.now() > deadline,
    onRetry: () => {
      isUncertain = true;
    },
  };
  const claimed = await retryUntilDone(() => claimRun(context, input), options);
  if (claimed === null && isUncertain) {
    const holder = { ...payload, workerId: worker.id, reason: 'the connection to the database broke during the claim' };
    await retryUntilDone(() => releaseRun(context, holder), options);
  }
  return claimed;
}
