import type { WorkerOffers } from '#src/base/contracts/runNeeds.ts';
import { inTransaction } from '#src/base/database/connection.ts';
import { assignGpus, listHeldShares, listQueuedWithNeeds, lockMachine } from '#src/queue/store/runsWithNeeds.ts';
import { projectNames } from '#src/projects/store/projectRecord.ts';
import { type ClaimedRun, type ClaimRunInput, takeRun } from '#src/attempts/claimRun.ts';
import { fittingRun } from '#src/fleet/fittingRun.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

export interface ClaimCommandInput extends Omit<ClaimRunInput, 'payload'> {
  /** Workers of one host share its GPUs. */
  host: string;
  offers: WorkerOffers;
}

/** A claimed run, and the numbers of the GPUs that are its own until it ends. */
export interface ClaimedCommand {
  claimed: ClaimedRun;
  gpus: number[];
  /** The name of the project that it is in. */
  project: string;
}

/**
 * Takes the next run with needs that fits what the worker has free, in one transaction; workers of one machine choose one
 * after the other, so that no GPU is given twice.
 * @returns null when none fits now.
 */
export async function claimCommand(
  context: Pick<ServiceContext, 'db'>,
  { host, offers, ...worker }: ClaimCommandInput,
): Promise<ClaimedCommand | null> {
  return await inTransaction(context.db, async (connection) => {
    const queue = await listQueuedWithNeeds(connection, offers);
    if (queue.length === 0) return null;
    await lockMachine(connection, host);
    const held = await listHeldShares(connection, host);
    const taken = held.map((share) => ({ ...share, own: share.workerId === worker.workerId }));
    const fitting = fittingRun(queue, offers, taken);
    if (fitting === null) return null;
    const { run, gpus } = fitting;
    const payload = { runId: run.id, attempt: run.attempt + 1 };
    const claimed = await takeRun(connection, { ...worker, payload });
    if (claimed === null) return null;
    await assignGpus(connection, run.id, gpus);
    const names = await projectNames(connection, [claimed.run.projectId]);
    return { claimed, gpus, project: names.get(claimed.run.projectId) ?? '' };
  });
}
