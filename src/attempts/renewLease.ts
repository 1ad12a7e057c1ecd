import { extendLease } from '#src/attempts/store/claimQueuedRun.ts';
import type { Holder } from '#src/runs/store/moveRun.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

/**
 * `cancel`: the lease is renewed, but somebody wants the run stopped. `prune`: so does its sweep, and keeps its checkpoint.
 * `lost`: the attempt may write no more.
 */
export type LeaseAnswer = 'renewed' | 'cancel' | 'prune' | 'lost';

/** Extends a worker's hold on a run by `leaseMs` from now, by the database's clock. */
export async function renewLease(context: Pick<ServiceContext, 'db'>, holder: Holder): Promise<LeaseAnswer> {
  const lease = await extendLease(context.db, holder);
  if (lease === null) return 'lost';
  if (lease.cancelRequested) return 'cancel';
  return lease.pruneRequested ? 'prune' : 'renewed';
}
