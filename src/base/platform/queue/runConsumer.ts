import { setTimeout as delay } from 'node:timers/promises';
import { DelayedError, type Job } from 'bullmq';
import { type QueuePayload, queueNameOf, queuePayloadSchema } from '#src/base/contracts/queuePayload.ts';
import { TIMING } from '../timing.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { type ConsumerPort, createConsumer, type QueueLocation } from './queueConnection.ts';
import { SlotPool } from './slotPool.ts';

export interface RunConsumerOptions extends QueueLocation {
  /** Jobs held at once. */
  slots: number;
  /** Whether it takes runs that need a graphics processor, too, and rather than others; default false. */
  takesGpuRuns?: boolean;
  /** Kinds of modules that it knows: it takes their runs, too, and rather than those that any worker takes; default none. */
  addedKinds?: readonly string[];
  /** Executes one job; the job leaves the queue when it settles, either way: the database knows how the run ended. */
  onJob(payload: QueuePayload): Promise<void>;
  /** Told of failed jobs and of the connection's troubles, the same one at most every five seconds. */
  onError(error: Error): void;
}

export interface RunConsumer {
  /** Takes no more jobs; those it has go on. */
  pause(): Promise<void>;
  /** Takes no more jobs while `held`; those it has go on. One that came at that moment goes back to the queue. */
  hold(held: boolean): void;
  /** Takes no more jobs, waits until `onJob` has settled for those it has, and disconnects. */
  close(): Promise<void>;
}

const RETRY_MS = 1_000;
/** Errors within a second after which it rests. */
const BURST = 5;
/** How long a server that does not answer holds up the end of a consumer once all jobs have settled. */
const GOODBYE_MS = 3_000;
const SAME_ERROR_MS = 5_000;
/** A job that came when the other queue's had just taken the last place is offered again after this. */
const GIVE_BACK_MS = 250;
/** How much later than a free place's first queue the second one may fill it. */
const SECOND_CHOICE_MS = 250;

/**
 * Takes jobs from the queue, best priority first, until closed; where it `takesGpuRuns` or knows `addedKinds`, also from the
 * queues of runs that need those, each of which costs up to three connections. It connects, and connects again after a restart of the server, for as long as it takes.
 * Delivery is at least once: the job of a consumer that dies is given to another within about twenty seconds, and one that
 * is too busy to renew its lock may see its job given to another as well.
 */
export function consumeRuns(options: RunConsumerOptions): Promise<RunConsumer> {
  const report = quietly(options.onError);
  const names = queueNames(options);
  const pool = new SlotPool(options.slots);
  const consumers = names.map((queueName, index) => {
    const rank = index < names.length - 1 ? 0 : 1;
    return consumeQueue({ ...options, onError: report }, { queueName, pool, isShared: names.length > 1, rank });
  });
  const all = async (action: (consumer: Omit<RunConsumer, 'hold'>) => Promise<void>) => {
    await Promise.all(consumers.map(action));
  };
  return Promise.resolve({
    hold: (held) => pool.hold(held),
    pause: () => all((consumer) => consumer.pause()),
    close: () => all((consumer) => consumer.close()),
  });
}

/** The queues that a consumer takes from: first what not every worker can execute, last what each can. */
function queueNames({ takesGpuRuns = false, addedKinds = [] }: RunConsumerOptions): string[] {
  const kinds = [...addedKinds, null];
  const sorts = (takesGpuRuns ? [true, false] : [false]).flatMap((requiresGpu) =>
    kinds.map((addedKind) => ({ requiresGpu, addedKind })),
  );
  return sorts.map(queueNameOf);
}

interface QueueShare {
  queueName: string;
  pool: SlotPool;
  /** Whether another queue's jobs take places of the same pool. */
  isShared: boolean;
  /** 0 for the queues that are served first. */
  rank: number;
}

/** Takes the jobs of one queue while its pool has places. */
function consumeQueue(
  options: RunConsumerOptions,
  { queueName, pool, isShared, rank }: QueueShare,
): Omit<RunConsumer, 'hold'> {
  const report = options.onError;
  const stopping = new AbortController();
  const working = new Set<Promise<void>>();
  let current: { consumer: ConsumerPort; ready: boolean } | null = null;
  // A queue of its own has as many places as its consumer: BullMQ counts those itself.
  const isShut = () => (isShared ? pool.isFull : pool.isHeld);

  const execute = async (data: unknown): Promise<void> => {
    try {
      await options.onJob(queuePayloadSchema.parse(data));
    } catch (thrown) {
      report(coerceError(thrown));
    }
  };
  const processor = async (job: Job<unknown, void, string>, token?: string): Promise<void> => {
    if (isShared ? !pool.take() : pool.isHeld) {
      await job.moveToDelayed(Date.now() + GIVE_BACK_MS, token);
      throw new DelayedError();
    }
    const work = execute(job.data);
    working.add(work);
    await work;
    working.delete(work);
    if (isShared) pool.release();
  };

  /** Takes no jobs while the other queue's fill the places, or none are given away: pauses, and goes on afterwards. */
  const holdBack = (): void => {
    if (current?.ready !== true || stopping.signal.aborted) return;
    const { consumer } = current;
    if (isShut()) {
      void consumer.pause(true).catch((thrown: unknown) => report(coerceError(thrown)));
      return;
    }
    // Not at once: the job that leaves the place must not bring the next one of its queue with it.
    setTimeout(() => {
      if (isShut() || stopping.signal.aborted || current?.consumer !== consumer || !consumer.isRunning()) return;
      void consumer.resume();
    }, rank * SECOND_CHOICE_MS);
  };
  pool.onChange(holdBack, stopping.signal);

  /** Resolves when the consumer was stopped or held back with nothing to do, rejects when it cannot go on. */
  const consumeOnce = async (): Promise<void> => {
    const consumer = createConsumer(options, processor, { ...LOCKING, queueName, concurrency: options.slots });
    const slowDown = restAfterErrors(consumer, { stopping: stopping.signal, mayResume: () => !isShut() });
    consumer.on('error', (error) => {
      report(error);
      slowDown();
    });
    const entry = { consumer, ready: false };
    current = entry;
    await settledOrAborted(consumer.waitUntilReady(), stopping.signal);
    if (stopping.signal.aborted) return;
    entry.ready = true;
    if (isShut()) return;
    await consumer.run();
  };

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await pool.until(() => !isShut(), stopping.signal);
      try {
        await consumeOnce();
      } catch (thrown) {
        report(coerceError(thrown));
      }
      if (stopping.signal.aborted) return;
      // Not longer: a connection that died in silence does not answer the goodbye.
      await Promise.race([current?.consumer.close(true), delay(GOODBYE_MS, undefined, { ref: false })]);
      if (isShut()) continue;
      await delay(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };

  const ended = loop();
  return {
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
  };
}

/**
 * BullMQ asks again at once after an error that is not one of the connection (a server that recovers, a full disk): this
 * lets it rest for a second after a burst of them.
 */
function restAfterErrors(
  consumer: ConsumerPort,
  { stopping, mayResume }: { stopping: AbortSignal; mayResume: () => boolean },
): () => void {
  let times: number[] = [];
  let resting = false;
  const rest = async (): Promise<void> => {
    await consumer.pause(true);
    await delay(RETRY_MS, undefined, { signal: stopping });
    if (consumer.isRunning() && mayResume()) await consumer.resume();
  };
  return () => {
    const now = performance.now();
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
  lockDuration: TIMING.leaseMs,
  lockRenewTime: TIMING.renewMs,
  stalledInterval: TIMING.renewMs,
  maxStalledCount: 1_000_000,
  runRetryDelay: RETRY_MS,
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 0 },
};

/** Waits for `work`, but not beyond the end of `signal`, which keeps no listener of it: it outlasts many such waits. */
async function settledOrAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  let stop = () => {};
  const aborted = new Promise<void>((resolve) => {
    stop = resolve;
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Passes an error on unless the same message was passed on a moment ago: a server that is away fails many calls. */
function quietly(onError: (error: Error) => void): (error: Error) => void {
  const last = new Map<string, number>();
  return (error) => {
    const now = performance.now();
    if (now - (last.get(error.message) ?? Number.NEGATIVE_INFINITY) < SAME_ERROR_MS) return;
    for (const [message, time] of last) if (now - time > SAME_ERROR_MS) last.delete(message);
    last.set(error.message, now);
    onError(error);
  };
}
