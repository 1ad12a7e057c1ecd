import { setTimeout as delay } from 'node:timers/promises';
import { LEASE_MS, RENEW_MS } from '../contracts/timing.ts';
import { type QueuePayload, queuePayloadSchema } from '../contracts/queuePayload.ts';
import { coerceError } from '../lib/coerceError.ts';
import { type ConsumerPort, createConsumer, type QueueLocation } from './queueConnection.ts';

export interface RunConsumerOptions extends QueueLocation {
  /** Jobs held at once. */
  slots: number;
  /** Executes one job; the job leaves the queue when it settles, either way: the database knows how the run ended. */
  onJob(payload: QueuePayload): Promise<void>;
  /** Told of failed jobs and of the connection's troubles, the same one at most every five seconds. */
  onError(error: Error): void;
}

export interface RunConsumer {
  /** Takes no more jobs; those it has go on. */
  pause(): Promise<void>;
  /** Takes no more jobs, waits until `onJob` has settled for those it has, and disconnects. */
  close(): Promise<void>;
}

const RETRY_MS = 1_000;
/** Errors within a second after which it rests. */
const BURST = 5;
/** How long a server that does not answer holds up `close` once all jobs have settled. */
const GOODBYE_MS = 3_000;
const SAME_ERROR_MS = 5_000;

/**
 * Takes jobs from the queue, best priority first, until closed. It connects, and connects again after a restart of the
 * server, for as long as it takes. Delivery is at least once: the job of a consumer that dies is given to another within
 * about twenty seconds, and one that is too busy to renew its lock may see its job given to another as well.
 */
export function consumeRuns(options: RunConsumerOptions): Promise<RunConsumer> {
  const report = quietly(options.onError);
  const stopping = new AbortController();
  const working = new Set<Promise<void>>();
  let current: { consumer: ConsumerPort; ready: boolean } | null = null;

  const execute = async (data: unknown): Promise<void> => {
    try {
      await options.onJob(queuePayloadSchema.parse(data));
    } catch (thrown) {
      report(coerceError(thrown));
    }
  };
  const processor = async (job: { data: unknown }): Promise<void> => {
    const work = execute(job.data);
    working.add(work);
    await work;
    working.delete(work);
  };

  /** Resolves when the consumer was stopped, rejects when it cannot go on. */
  const consumeOnce = async (): Promise<void> => {
    const consumer = createConsumer(options, processor, { ...LOCKING, concurrency: options.slots });
    const slowDown = restAfterErrors(consumer, stopping.signal);
    consumer.on('error', (error) => {
      report(error);
      slowDown();
    });
    const entry = { consumer, ready: false };
    current = entry;
    await Promise.race([consumer.waitUntilReady(), aborted(stopping.signal)]);
    if (stopping.signal.aborted) return;
    entry.ready = true;
    await consumer.run();
  };

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await consumeOnce();
      } catch (thrown) {
        report(coerceError(thrown));
      }
      if (stopping.signal.aborted) return;
      await current?.consumer.close(true);
      await delay(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };

  const ended = loop();
  return Promise.resolve({
    pause: async () => {
      stopping.abort();
      if (current?.ready === true) await current.consumer.pause(true);
    },
    close: async () => {
      stopping.abort();
      // One that never was connected has no jobs to wait for, and nobody to tell.
      const closed = current?.consumer.close(!current.ready).then(() => ended);
      await Promise.race([closed, Promise.all([...working]).then(() => delay(GOODBYE_MS, undefined, { ref: false }))]);
    },
  });
}

/**
 * BullMQ asks again at once after an error that is not one of the connection (a server that recovers, a full disk): this
 * lets it rest for a second after a burst of them.
 */
function restAfterErrors(consumer: ConsumerPort, stopping: AbortSignal): () => void {
  let times: number[] = [];
  let resting = false;
  const rest = async (): Promise<void> => {
    await consumer.pause(true);
    await delay(RETRY_MS, undefined, { signal: stopping });
    if (consumer.isRunning()) await consumer.resume();
  };
  return () => {
    const now = Date.now();
    times = [...times.filter((time) => now - time < RETRY_MS), now];
    if (resting || times.length < BURST || stopping.aborted) return;
    resting = true;
    void rest()
      .catch(() => {}) // stopped meanwhile
      .finally(() => {
        resting = false;
      });
  };
}

/** The queue's own limit on how often a job changes hands is lifted: that is for the run's attempts in the database. */
const LOCKING = {
  lockDuration: LEASE_MS,
  lockRenewTime: RENEW_MS,
  stalledInterval: RENEW_MS,
  maxStalledCount: 1_000_000,
  runRetryDelay: RETRY_MS,
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 0 },
};

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Passes an error on unless the same message was passed on a moment ago: a server that is away fails many calls. */
function quietly(onError: (error: Error) => void): (error: Error) => void {
  const last = new Map<string, number>();
  return (error) => {
    const now = Date.now();
    if (now - (last.get(error.message) ?? Number.NEGATIVE_INFINITY) < SAME_ERROR_MS) return;
    for (const [message, time] of last) if (now - time > SAME_ERROR_MS) last.delete(message);
    last.set(error.message, now);
    onError(error);
  };
}
