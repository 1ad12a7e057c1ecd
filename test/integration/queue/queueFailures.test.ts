import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { QueuePayload } from '#src/base/contracts/queuePayload.ts';
import { exitOf } from '#src/base/platform/processes/processTree.ts';
import { consumeRuns } from '#src/base/platform/queue/runConsumer.ts';
import { openRunQueue } from '#src/base/platform/queue/runQueue.ts';
import { buildProgram } from '../support/buildProgram.ts';
import { queueBackendsForTests } from '../support/queueBackends.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { waitUntil } from '../support/waitUntil.ts';

const backends = await queueBackendsForTests();
const holdJobs = await buildProgram('holdJobs.ts');
const home = join(temporaryFolder(), 'home');

const payload = (): QueuePayload => ({ runId: randomUUID(), attempt: 1 });

describe.each(backends)('the run queue on $name, when things die', (backend) => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  it('gives the job of a consumer that was killed to another', async () => {
    const location = await backend.freshQueue();
    const queue = await openRunQueue(location);
    closers.push(() => queue.close());
    const job = payload();
    await queue.add([{ payload: job, priority: 5 }]);

    const holder = spawn(process.execPath, [holdJobs, JSON.stringify(location)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, WARREN_HOME: home },
    });
    let said = '';
    holder.stdout.on('data', (chunk) => {
      said += String(chunk);
    });
    await waitUntil('the other process has the job', () => said.includes(job.runId));
    holder.kill('SIGKILL');
    await exitOf(holder);

    const taken: QueuePayload[] = [];
    const onJob = async (got: QueuePayload) => void taken.push(got);
    const consumer = await consumeRuns({ ...location, slots: 1, onJob, onError: () => {} });
    closers.push(() => consumer.close());
    await waitUntil('the job comes again', () => taken.length > 0, 40_000);
    expect(taken).toEqual([job]);
    await waitUntil('an empty queue', async () => (await queue.counts()).active === 0);
  });

  it('goes on after the server was killed and started again: waiting, held and new jobs', async () => {
    const location = await backend.freshQueue();
    const queue = await openRunQueue(location);
    closers.push(() => queue.close());
    const [held, waiting, added] = [payload(), payload(), payload()];
    const taken: QueuePayload[] = [];
    const errors: Error[] = [];
    let finish = () => {};
    const holding = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const consumer = await consumeRuns({
      ...location,
      slots: 1,
      onJob: async (job) => {
        taken.push(job);
        if (job.runId === held.runId) await holding;
      },
      onError: (error) => errors.push(error),
    });
    closers.push(
      () => consumer.close(),
      async () => finish(),
    );
    await queue.add([{ payload: held, priority: 1 }]);
    await waitUntil('the first job is held', () => taken.length === 1);
    await queue.add([{ payload: waiting, priority: 5 }]);

    await backend.kill();
    await expect(queue.add([{ payload: added, priority: 5 }])).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(queue.counts()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await backend.restart();

    await waitUntil('the queue answers again', () => queue.counts().catch(() => null));
    await queue.add([{ payload: added, priority: 5 }]);
    finish();
    await waitUntil('all jobs were taken', () => new Set(taken.map(({ runId }) => runId)).size === 3, 40_000);
    await waitUntil(
      'an empty queue',
      async () => {
        const { waiting: left, active } = await queue.counts();
        return left + active === 0;
      },
      40_000,
    );
  });

  it('survives an idle consumer: one that waits when the server dies takes jobs afterwards', async () => {
    const location = await backend.freshQueue();
    const queue = await openRunQueue(location);
    closers.push(() => queue.close());
    const taken: QueuePayload[] = [];
    const onJob = async (job: QueuePayload) => void taken.push(job);
    const consumer = await consumeRuns({ ...location, slots: 2, onJob, onError: () => {} });
    closers.push(() => consumer.close());
    await queue.add([{ payload: payload(), priority: 5 }]);
    await waitUntil('the first job', () => taken.length === 1);
    await backend.kill();
    await backend.restart();
    const second = payload();
    await waitUntil('the queue takes a job', () =>
      queue.add([{ payload: second, priority: 5 }]).then(
        () => true,
        () => false,
      ),
    );
    await waitUntil('the second job', () => taken.some(({ runId }) => runId === second.runId));
  });

  it('lets a consumer start before its server does, and close without it', async () => {
    const location = await backend.freshQueue();
    const queue = await openRunQueue(location);
    await queue.add([{ payload: payload(), priority: 5 }]);
    await queue.close();
    await backend.kill();
    const errors: Error[] = [];
    let taken = 0;
    const start = () =>
      consumeRuns({
        ...location,
        slots: 1,
        onJob: async () => {
          taken += 1;
        },
        onError: (error) => errors.push(error),
      });
    const early = await start();
    const abandoned = await start();
    closers.push(() => early.close());
    await waitUntil('an error is told', () => errors.length > 0);
    await abandoned.close();
    await expect(openRunQueue(location)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(
        /^the queue in (PostgreSQL|Redis) at 127\.0\.0\.1:\d+: .+; see that the server runs/,
      ),
    });
    await backend.restart();
    await waitUntil('the job is taken', () => taken === 1);
  });
});

it('a consumer whose server is away for long keeps no listener of each try', async () => {
  const usual = EventEmitter.defaultMaxListeners;
  const warnings: Error[] = [];
  const warned = (warning: Error) => void warnings.push(warning);
  process.on('warning', warned);
  EventEmitter.defaultMaxListeners = 4;
  try {
    let errors = 0;
    const consumer = await consumeRuns({
      ...{ databaseUrl: 'postgres://nobody@127.0.0.1:1/none', redisUrl: null, slots: 1 },
      onJob: async () => {},
      // each try meets an error of its own
      onError: () => void errors++,
    });
    await delay(8_000);
    await consumer.close();
    expect(errors).toBeGreaterThan(0);
    expect(warnings.filter(({ message }) => message.includes('AbortSignal'))).toEqual([]);
  } finally {
    EventEmitter.defaultMaxListeners = usual;
    process.off('warning', warned);
  }
});
