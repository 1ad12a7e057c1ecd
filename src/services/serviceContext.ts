import type { Database } from '../platform/postgres/database.ts';
import type { RunQueue } from '../queue/runQueue.ts';

/** What use cases work with. */
export interface ServiceContext {
  db: Database;
  queue: RunQueue;
  /** Metrics that one run may have; `SERIES_PER_RUN` when left out. */
  seriesPerRun?: number;
  /** Whom runs that are made name as their maker; nobody when left out. */
  userName?: string | null;
}
