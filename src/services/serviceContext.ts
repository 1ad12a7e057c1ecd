import type { Database } from '../platform/database.ts';
import type { RunQueue } from '../queue/runQueue.ts';

/** What use cases work with. */
export interface ServiceContext {
  db: Database;
  queue: RunQueue;
}
