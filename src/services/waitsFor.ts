import { type RunNeeds, type WorkerOffers, workerOffersSchema } from '../contracts/runNeeds.ts';
import { selectWorkers } from '../store/workerRecord.ts';
import { whyNeverHere } from './fittingRun.ts';
import type { ServiceContext } from './serviceContext.ts';

/** What the workers that are alive offer to runs with needs. */
export async function liveOffers(context: Pick<ServiceContext, 'db'>): Promise<WorkerOffers[]> {
  const workers = await selectWorkers(context.db, { includeStopped: false });
  return workers.flatMap(({ offers }) => workerOffersSchema.safeParse(offers).data ?? []);
}

/** What a queued run waits for that no worker which is alive has; null when one could execute it. */
export function waitsFor(needs: RunNeeds | null, offers: readonly WorkerOffers[]): string | null {
  if (needs === null) return null;
  if (offers.length === 0) {
    return 'it waits for a worker that executes commands: start one with `warren worker --allow-commands`';
  }
  const lacking = offers.map((offer) => whyNeverHere(needs, offer));
  if (lacking.includes(null)) return null;
  const what = [...new Set(lacking)].join(' or ');
  return `it waits for a worker with ${what}: none that executes commands has that`;
}
