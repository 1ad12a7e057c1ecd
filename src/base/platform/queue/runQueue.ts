import { setTimeout as delay } from 'node:timers/promises';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { jobIdOf, type QueuePayload, queueNameOf, type QueueSort } from '#src/base/contracts/queuePayload.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import {
  backendOf,
  createProducer,
  type ProducerPort,
  type QueueBackend,
  type QueueLocation,
} from './queueConnection.ts';

export interface QueueJob extends QueueSort {
  payload: QueuePayload;
  /** 1 (first) to 2,097,151 (last); of equal ones those that a worker has begun before, then in the order of adding. */
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
  remove(payload: QueuePayload, sort?: QueueSort): Promise<void>;
  /** Lets workers have those of the jobs that are still delayed. */
  promote(payloads: readonly QueuePayload[]): Promise<void>;
  counts(): Promise<QueueCounts>;
  /** Adds a job that nobody takes, and takes it away again. */
  tryWrite(): Promise<void>;
  close(): Promise<void>;
}

/** To which nobody listens. */
const TRIED_QUEUE = 'write-try';
/** Jobs in one statement or pipeline: larger gains nothing and holds up others. */
const BULK = 1_000;
const OPEN_MS = 15_000;
/** How long a server that does not answer holds up the end. */
const GOODBYE_MS = 3_000;

/**
 * Opens the queue: BullMQ on PostgreSQL, or on Redis when there is an address for it. To BullMQ it is a queue for each sort of
 * worker that runs need.
 * @throws WarrenError UNAVAILABLE when the server does not answer within 15 seconds.
 */
export async function openRunQueue(location: QueueLocation): Promise<RunQueue> {
  const producers = new Map<string, ProducerPort>();
  try {
    for (const name of [queueNameOf({}), queueNameOf({ requiresGpu: true })]) {
      producers.set(name, await openProducer(location, name));
    }
    return queueOver(producers, location);
  } catch (thrown) {
    for (const producer of producers.values()) void producer.close().catch(() => {});
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

/** @param open The queues that are open; those of kinds of modules are opened when the first run needs one. */
function queueOver(open: Map<string, ProducerPort>, location: QueueLocation): RunQueue {
  const opening = new Map<string, Promise<ProducerPort>>();
  const producerOf = async (name: string): Promise<ProducerPort> => {
    const known = open.get(name) ?? opening.get(name);
    if (known !== undefined) return await known;
    const started = openProducer(location, name)
      .then((producer) => {
        open.set(name, producer);
        return producer;
      })
      .finally(() => opening.delete(name));
    opening.set(name, started);
    return await started;
  };
  const all = () => [...open.values()];
  const attempt = async <T>(action: () => Promise<T>): Promise<T> => {
    try {
      return await action();
    } catch (thrown) {
      throw thrown instanceof WarrenError ? thrown : unavailable(location, thrown);
    }
  };
  return {
    backend: backendOf(location),
    add: (jobs) =>
      attempt(async () => {
        for (const name of new Set(jobs.map(queueNameOf))) {
          const own = jobs.filter((job) => queueNameOf(job) === name).map(toBullJob);
          const producer = await producerOf(name);
          for (let start = 0; start < own.length; start += BULK) {
            await producer.addBulk(own.slice(start, start + BULK));
          }
        }
      }),
    remove: async (payload, sort = {}) => {
      await attempt(async () => (await producerOf(queueNameOf(sort))).remove(jobIdOf(payload)));
    },
    promote: (payloads) =>
      attempt(async () => {
        const ids = new Set(payloads.map(jobIdOf));
        for (const producer of all()) {
          const delayed = await producer.getDelayed(0, BULK - 1);
          // One that a worker has taken meanwhile cannot be promoted, and need not be.
          await Promise.allSettled(delayed.filter(({ id }) => ids.has(id ?? '')).map((job) => job.promote()));
        }
      }),
    counts: () =>
      attempt(async () => {
        // A job with a priority counts as `prioritized`, and each of ours has one.
        const states = ['waiting', 'prioritized', 'delayed', 'active'] as const;
        const counts = await Promise.all(all().map((producer) => producer.getJobCounts(...states)));
        const sum = (...names: (typeof states)[number][]) =>
          counts.flatMap((own) => names.map((name) => own[name] ?? 0)).reduce((total, count) => total + count, 0);
        return { waiting: sum('waiting', 'prioritized'), delayed: sum('delayed'), active: sum('active') };
      }),
    tryWrite: () =>
      attempt(async () => {
        const producer = await producerOf(TRIED_QUEUE);
        await producer.addBulk([{ name: 'try', data: {}, opts: { jobId: 'try', removeOnFail: true } }]);
        await producer.remove('try');
      }),
    close: async () => {
      // Without its server there is nobody to say goodbye to.
      const closed = Promise.all(all().map((producer) => producer.close().catch(() => {})));
      await Promise.race([closed, delay(GOODBYE_MS, undefined, { ref: false })]);
    },
  };
}

function toBullJob({ payload, priority, delayMs = 0 }: QueueJob) {
  // what is half done does not wait behind all that was queued since
  const place = payload.attempt > 1 ? Math.max(1, priority - 1) : priority;
  const opts = { jobId: jobIdOf(payload), priority: place, delay: delayMs, removeOnComplete: true, removeOnFail: true };
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
