import type { Database } from '../platform/postgres/database.ts';
import type { RunQueue } from '../platform/queue/runQueue.ts';

/** What use cases work with. */
export interface ServiceContext {
  db: Database;
  queue: RunQueue;
  /** Metrics that one run may have; `SERIES_PER_RUN` when left out. */
  seriesPerRun?: number;
  /** What the log of one attempt takes at most; `LOG_BYTES` when left out. */
  logBytes?: number;
  /** Whom runs that are made name as their maker; nobody when left out. */
  userName?: string | null;
}
