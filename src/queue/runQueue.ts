import { setTimeout as delay } from 'node:timers/promises';
import { WarrenError } from '../contracts/errors.ts';
import { jobIdOf, type QueuePayload } from '../contracts/queuePayload.ts';
import { coerceError } from '../lib/coerceError.ts';
import {
  backendOf,
  createProducer,
  type ProducerPort,
  type QueueBackend,
  type QueueLocation,
} from './queueConnection.ts';

export interface QueueJob {
  payload: QueuePayload;
  /** 1 (first) to 2,097,151 (last); equal ones in the order of adding. */
  priority: number;
  /** Not given to a worker before this many milliseconds have passed. */
  delayMs?: number;
}

export interface QueueCounts {
  waiting: number;
  delayed: number;
  active: number;
}

/** The adding side of the queue. Its methods throw WarrenError UNAVAILABLE while the server is away. */
export interface RunQueue {
  backend: QueueBackend;
  /** A job whose run and attempt the queue already knows is ignored, whatever its priority or delay. */
  add(jobs: readonly QueueJob[]): Promise<void>;
  /** Takes a job out if no worker has it yet. */
  remove(payload: QueuePayload): Promise<void>;
  counts(): Promise<QueueCounts>;
  close(): Promise<void>;
}

/** Jobs in one statement or pipeline: larger gains nothing and holds up others. */
const BULK = 1_000;
const OPEN_MS = 5_000;

/**
 * Opens the queue: BullMQ on PostgreSQL, or on Redis when there is an address for it.
 * @throws WarrenError UNAVAILABLE when the server does not answer within five seconds.
 */
export async function openRunQueue(location: QueueLocation): Promise<RunQueue> {
  const backend = backendOf(location);
  const producer = createProducer(location);
  let lastError: Error | null = null;
  // Errors of the connection while nothing is asked of it: the next call tells if it still does not work.
  producer.on('error', (error) => {
    lastError = error;
  });
  const timeout = new AbortController();
  try {
    await Promise.race([
      producer.waitUntilReady(),
      delay(OPEN_MS, undefined, { signal: timeout.signal }).then(() => {
        throw lastError ?? new Error(`no answer within ${OPEN_MS / 1000} s`);
      }),
    ]);
  } catch (thrown) {
    await producer.close().catch(() => {});
    throw unavailable(location, thrown);
  } finally {
    timeout.abort();
  }
  return queueOver(producer, { backend, location });
}

function queueOver(
  producer: ProducerPort,
  { backend, location }: { backend: QueueBackend; location: QueueLocation },
): RunQueue {
  const attempt = async <T>(action: () => Promise<T>): Promise<T> => {
    try {
      return await action();
    } catch (thrown) {
      throw unavailable(location, thrown);
    }
  };
  return {
    backend,
    add: (jobs) =>
      attempt(async () => {
        for (let start = 0; start < jobs.length; start += BULK) {
          await producer.addBulk(jobs.slice(start, start + BULK).map(toBullJob));
        }
      }),
    remove: async (payload) => {
      await attempt(() => producer.remove(jobIdOf(payload)));
    },
    counts: () =>
      attempt(async () => {
        // A job with a priority counts as `prioritized`, and each of ours has one.
        const counts = await producer.getJobCounts('waiting', 'prioritized', 'delayed', 'active');
        return {
          waiting: (counts.waiting ?? 0) + (counts.prioritized ?? 0),
          delayed: counts.delayed ?? 0,
          active: counts.active ?? 0,
        };
      }),
    // Without its server there is nobody to say goodbye to.
    close: () => producer.close().catch(() => {}),
  };
}

function toBullJob({ payload, priority, delayMs = 0 }: QueueJob) {
  const opts = { jobId: jobIdOf(payload), priority, delay: delayMs, removeOnComplete: true, removeOnFail: true };
  return { name: 'run', data: payload, opts };
}

function unavailable(location: QueueLocation, thrown: unknown): WarrenError {
  const { hostname, port } = new URL(location.redisUrl ?? location.databaseUrl);
  const [server, variable] = location.redisUrl === null ? ['PostgreSQL', 'DATABASE_URL'] : ['Redis', 'REDIS_URL'];
  const where = `${server} at ${hostname}${port === '' ? '' : `:${port}`}`;
  const reason = coerceError(thrown).message || 'no answer';
  const message = `the queue in ${where}: ${reason}; see that the server runs, or correct ${variable}`;
  return new WarrenError('UNAVAILABLE', message, { cause: thrown });
}
