import { countOpenRuns, listQueuedRuns, type RunRecord } from '../store/runRecord.ts';
import { checkedInteger } from './runFields.ts';
import type { ServiceContext } from './serviceContext.ts';

export interface QueueOverview {
  backend: 'postgres' | 'redis';
  /** Runs that wait for inputs, for a worker, and that are executed, by the database. */
  waiting: number;
  queued: number;
  running: number;
}

export async function queueOverview(context: ServiceContext): Promise<QueueOverview> {
  const counts = await countOpenRuns(context.db);
  return {
    backend: context.queue.backend,
    waiting: counts.get('WAITING') ?? 0,
    queued: counts.get('QUEUED') ?? 0,
    running: counts.get('RUNNING') ?? 0,
  };
}

/** The next runs in the order in which workers take them. */
export async function nextRuns(context: Pick<ServiceContext, 'db'>, first = 50): Promise<RunRecord[]> {
  return await listQueuedRuns(context.db, checkedInteger(first, { path: 'first', minimum: 0, maximum: 1_000 }));
}
