import { afterEach } from 'vitest';
import type { QueuePayload } from '#src/base/contracts/queuePayload.ts';
import type { QueueLocation } from '#src/base/platform/queue/queueConnection.ts';
import { consumeRuns, type RunConsumerOptions } from '#src/base/platform/queue/runConsumer.ts';
import { openRunQueue, type RunQueue } from '#src/base/platform/queue/runQueue.ts';

/** Opens queues and consumers that end with the test. A consumer takes one job at a time and keeps what it took. */
export function queuesForTests() {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  async function open(location: QueueLocation): Promise<RunQueue> {
    const queue = await openRunQueue(location);
    closers.push(() => queue.close());
    return queue;
  }

  async function consume(location: QueueLocation, options: Partial<RunConsumerOptions> = {}) {
    const taken: QueuePayload[] = [];
    const errors: Error[] = [];
    const consumer = await consumeRuns({
      ...location,
      slots: 1,
      onJob: async (job) => void taken.push(job),
      onError: (error) => errors.push(error),
      ...options,
    });
    closers.push(() => consumer.close());
    return { taken, errors, consumer };
  }

  return { open, consume };
}
