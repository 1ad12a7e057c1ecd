import { setTimeout as delay } from 'node:timers/promises';
import { WarrenError } from '../contracts/errors.ts';
import { GPU_QUEUE_NAME, jobIdOf, QUEUE_NAME, type QueuePayload } from '../contracts/queuePayload.ts';
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
  /** Only workers with a graphics processor take it. */
  requiresGpu?: boolean;
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
  remove(payload: QueuePayload, options?: { requiresGpu?: boolean }): Promise<void>;
  /** Lets workers have those of the jobs that are still delayed. */
  promote(payloads: readonly QueuePayload[]): Promise<void>;
  counts(): Promise<QueueCounts>;
  close(): Promise<void>;
}

/** Jobs in one statement or pipeline: larger gains nothing and holds up others. */
const BULK = 1_000;
const OPEN_MS = 5_000;
/** How long a server that does not answer holds up the end. */
const GOODBYE_MS = 3_000;

/**
 * Opens the queue: BullMQ on PostgreSQL, or on Redis when there is an address for it. Runs that need a graphics processor
 * have one of their own, so that no other worker is ever given one.
 * @throws WarrenError UNAVAILABLE when the server does not answer within five seconds.
 */
export async function openRunQueue(location: QueueLocation): Promise<RunQueue> {
  const backend = backendOf(location);
  const any = await openProducer(location, QUEUE_NAME);
  try {
    const gpu = await openProducer(location, GPU_QUEUE_NAME);
    return queueOver({ any, gpu }, { backend, location });
  } catch (thrown) {
    void any.close().catch(() => {});
    throw thrown;
  }
}

async function openProducer(location: QueueLocation, queueName: string): Promise<ProducerPort> {
  const producer = createProducer(location, queueName);
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
    return producer;
  } catch (thrown) {
    void producer.close().catch(() => {}); // a server that does not answer does not answer the goodbye either
    throw unavailable(location, thrown);
  } finally {
    timeout.abort();
  }
}

function queueOver(
  producers: { any: ProducerPort; gpu: ProducerPort },
  { backend, location }: { backend: QueueBackend; location: QueueLocation },
): RunQueue {
  const both = [producers.any, producers.gpu];
  const producerOf = (job: { requiresGpu?: boolean }) => (job.requiresGpu === true ? producers.gpu : producers.any);
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
        for (const producer of both) {
          const own = jobs.filter((job) => producerOf(job) === producer).map(toBullJob);
          for (let start = 0; start < own.length; start += BULK) {
            await producer.addBulk(own.slice(start, start + BULK));
          }
        }
      }),
    remove: async (payload, options = {}) => {
      await attempt(() => producerOf(options).remove(jobIdOf(payload)));
    },
    promote: (payloads) =>
      attempt(async () => {
        const ids = new Set(payloads.map(jobIdOf));
        for (const producer of both) {
          const delayed = await producer.getDelayed(0, BULK - 1);
          // One that a worker has taken meanwhile cannot be promoted, and need not be.
          await Promise.allSettled(delayed.filter(({ id }) => ids.has(id ?? '')).map((job) => job.promote()));
        }
      }),
    counts: () =>
      attempt(async () => {
        // A job with a priority counts as `prioritized`, and each of ours has one.
        const states = ['waiting', 'prioritized', 'delayed', 'active'] as const;
        const counts = await Promise.all(both.map((producer) => producer.getJobCounts(...states)));
        const sum = (...names: (typeof states)[number][]) =>
          counts.flatMap((own) => names.map((name) => own[name] ?? 0)).reduce((total, count) => total + count, 0);
        return { waiting: sum('waiting', 'prioritized'), delayed: sum('delayed'), active: sum('active') };
      }),
    close: async () => {
      // Without its server there is nobody to say goodbye to.
      const closed = Promise.all(both.map((producer) => producer.close().catch(() => {})));
      await Promise.race([closed, delay(GOODBYE_MS, undefined, { ref: false })]);
    },
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
