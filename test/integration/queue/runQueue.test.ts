import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { QueuePayload } from '#src/base/contracts/queuePayload.ts';
import { queueBackendsForTests } from '../support/queueBackends.ts';
import { slowness } from '../support/slowness.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { queuesForTests } from './queuesForTests.ts';

const backends = await queueBackendsForTests();

const payload = (attempt = 1): QueuePayload => ({ runId: randomUUID(), attempt });

describe.each(backends)('the run queue on $name', (backend) => {
  const { open, consume } = queuesForTests();

  it('hands out what was added, by priority and then in order, and forgets it', async () => {
    const location = await backend.freshQueue();
    const queue = await open(location);
    const [a, b, c, d] = [payload(), payload(), payload(), payload()];
    await queue.add([
      { payload: a, priority: 1000 },
      { payload: b, priority: 1000 },
      { payload: c, priority: 1 },
      { payload: d, priority: 2_097_151 },
    ]);
    expect(queue.backend).toBe(backend.name);
    expect(await queue.counts()).toEqual({ waiting: 4, delayed: 0, active: 0 });
    const { taken, errors } = await consume(location);
    await waitUntil('four jobs', () => taken.length === 4);
    expect(taken).toEqual([c, a, b, d]);
    await waitUntil('an empty queue', async () => (await queue.counts()).active === 0);
    expect(await queue.counts()).toEqual({ waiting: 0, delayed: 0, active: 0 });
    expect(errors).toEqual([]);
  });

  it('ignores a job that it knows, one by one and in bulk', async () => {
    const queue = await open(await backend.freshQueue());
    const [a, b] = [payload(), payload()];
    await queue.add([{ payload: a, priority: 5 }]);
    await queue.add([{ payload: a, priority: 5 }]);
    await queue.add([
      { payload: b, priority: 5 },
      { payload: a, priority: 1 },
      { payload: b, priority: 5, delayMs: 60_000 },
    ]);
    expect(await queue.counts()).toEqual({ waiting: 2, delayed: 0, active: 0 });
  });

  it('ignores a job that a worker has, and takes it again when it is done', async () => {
    const location = await backend.freshQueue();
    const queue = await open(location);
    const job = payload();
    let finish = () => {};
    let taken = 0;
    await consume(location, {
      onJob: () => {
        taken += 1;
        return new Promise((resolve) => {
          finish = resolve;
        });
      },
    });
    await queue.add([{ payload: job, priority: 5 }]);
    await waitUntil('the job is taken', () => taken === 1);
    await queue.add([{ payload: job, priority: 5 }]);
    expect(await queue.counts()).toEqual({ waiting: 0, delayed: 0, active: 1 });
    finish();
    await waitUntil('an empty queue', async () => (await queue.counts()).active === 0);
    expect(taken).toBe(1);
    await queue.add([{ payload: job, priority: 5 }]);
    await waitUntil('the job is taken again', () => taken === 2);
    finish();
  });

  it('treats another attempt of the same run as another job', async () => {
    const queue = await open(await backend.freshQueue());
    const first = payload(1);
    await queue.add([{ payload: first, priority: 5 }]);
    await queue.add([{ payload: { ...first, attempt: 2 }, priority: 5 }]);
    expect((await queue.counts()).waiting).toBe(2);
  });

  it('holds a delayed job back until its time, and no longer', async () => {
    const location = await backend.freshQueue();
    const queue = await open(location);
    const { taken } = await consume(location);
    const [first, late, early] = [payload(), payload(), payload()];
    await queue.add([{ payload: first, priority: 5 }]);
    await waitUntil('the consumer takes jobs', () => taken.length === 1);
    const addedAt = Date.now();
    await queue.add([
      { payload: late, priority: 1, delayMs: 3_000 },
      { payload: early, priority: 5 },
    ]);
    await waitUntil('the job without a delay', () => taken.length === 2);
    expect(taken).toEqual([first, early]);
    expect((await queue.counts()).delayed).toBe(1);
    await waitUntil('the delayed job', () => taken.length === 3);
    expect(Date.now() - addedAt).toBeGreaterThanOrEqual(3_000);
    expect(Date.now() - addedAt).toBeLessThan(3_000 + 2_500 * slowness());
  });

  it('hands out a run that a worker has begun before those that were queued since', async () => {
    const location = await backend.freshQueue();
    const queue = await open(location);
    const [waiting, again, urgent] = [payload(), payload(2), payload()];
    await queue.add([{ payload: waiting, priority: 1000 }]);
    await queue.add([
      { payload: again, priority: 1000 },
      { payload: urgent, priority: 10 },
    ]);
    const { taken } = await consume(location);
    await waitUntil('three jobs', () => taken.length === 3);
    expect(taken).toEqual([urgent, again, waiting]);
  });

  it('takes a job out that no worker has, and lets one be that a worker has', async () => {
    const location = await backend.freshQueue();
    const queue = await open(location);
    const [a, b] = [payload(), payload()];
    await queue.add([{ payload: a, priority: 5 }]);
    await queue.remove(a);
    await queue.remove(b);
    expect(await queue.counts()).toEqual({ waiting: 0, delayed: 0, active: 0 });
    let finish = () => {};
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    await consume(location, { onJob: () => held });
    await queue.add([{ payload: b, priority: 5 }]);
    await waitUntil('the job is taken', async () => (await queue.counts()).active === 1);
    await queue.remove(b);
    expect((await queue.counts()).active).toBe(1);
    finish();
  });

  it('removes a job that failed, and tells its error', async () => {
    const location = await backend.freshQueue();
    const queue = await open(location);
    const { errors } = await consume(location, {
      onJob: async () => {
        throw new Error('the disk is full');
      },
    });
    await queue.add([{ payload: payload(), priority: 5 }]);
    await waitUntil('the error', () => errors.length === 1);
    expect(errors[0]?.message).toBe('the disk is full');
    await waitUntil('an empty queue', async () => (await queue.counts()).active === 0);
    expect(await queue.counts()).toEqual({ waiting: 0, delayed: 0, active: 0 });
  });

  it('holds as many jobs at once as it has slots, and shares the rest with others', async () => {
    const location = await backend.freshQueue();
    const queue = await open(location);
    const held: (() => void)[] = [];
    let taken = 0;
    const hold = () => {
      taken += 1;
      return new Promise<void>((resolve) => void held.push(resolve));
    };
    await consume(location, { slots: 2, onJob: hold });
    await consume(location, { slots: 3, onJob: hold });
    await queue.add(Array.from({ length: 9 }, () => ({ payload: payload(), priority: 5 })));
    await waitUntil('five jobs are held', () => held.length === 5);
    expect(await queue.counts()).toEqual({ waiting: 4, delayed: 0, active: 5 });
    await waitUntil('all nine have been held', () => {
      held.shift()?.();
      return taken === 9 && held.length === 0;
    });
    await waitUntil('an empty queue', async () => (await queue.counts()).waiting === 0);
  });

  it('takes no jobs while it is held, keeps the one that it has, and leaves the others to another consumer', async () => {
    const location = await backend.freshQueue();
    const queue = await open(location);
    const all = [payload(), payload(), payload(), payload()];
    const jobs = all.map((job) => ({ payload: job, priority: 5 }));
    const taken: QueuePayload[] = [];
    let finish = () => {};
    const { consumer } = await consume(location, {
      slots: 2,
      onJob: (job) => {
        taken.push(job);
        if (taken.length > 1) return Promise.resolve();
        return new Promise((resolve) => {
          finish = resolve;
        });
      },
    });
    await queue.add(jobs.slice(0, 1));
    await waitUntil('the first job', () => taken.length === 1);
    consumer.hold(true);
    const other = await consume(location);
    await queue.add(jobs.slice(1, 3));
    await waitUntil('the other has taken two', () => other.taken.length === 2);
    await other.consumer.close();
    finish();
    await queue.add(jobs.slice(3));
    await waitUntil('the first job is done', async () => (await queue.counts()).active === 0);
    expect(taken).toEqual(all.slice(0, 1));
    consumer.hold(false);
    await waitUntil('it takes jobs again', () => taken.length === 2);
    expect(taken[1]).toEqual(all[3]);
  });

  it('waits in close for the jobs it has, and takes no more', async () => {
    const location = await backend.freshQueue();
    const queue = await open(location);
    let finish = () => {};
    let started = 0;
    const { consumer } = await consume(location, {
      onJob: () => {
        started += 1;
        return new Promise((resolve) => {
          finish = resolve;
        });
      },
    });
    await queue.add([
      { payload: payload(), priority: 5 },
      { payload: payload(), priority: 5 },
    ]);
    await waitUntil('the first job is taken', () => started === 1);
    let closed = false;
    const closing = consumer.close().then(() => {
      closed = true;
    });
    expect(await queue.counts()).toEqual({ waiting: 1, delayed: 0, active: 1 });
    expect(closed).toBe(false);
    finish();
    await closing;
    expect(started).toBe(1);
    expect(await queue.counts()).toEqual({ waiting: 1, delayed: 0, active: 0 });
  });

  it('takes no more jobs after pause, and finishes those it has', async () => {
    const location = await backend.freshQueue();
    const queue = await open(location);
    const finishes: (() => void)[] = [];
    const { consumer } = await consume(location, {
      onJob: () => new Promise((resolve) => void finishes.push(resolve)),
    });
    await queue.add([{ payload: payload(), priority: 5 }]);
    await waitUntil('the job is taken', () => finishes.length === 1);
    await consumer.pause();
    await queue.add([{ payload: payload(), priority: 5 }]);
    finishes[0]?.();
    await waitUntil('the job has left the queue', async () => (await queue.counts()).active === 0);
    expect(finishes.length).toBe(1);
    expect((await queue.counts()).waiting).toBe(1);
  });

  it.each([
    ['a GPU', { requiresGpu: true }, { takesGpuRuns: true }],
    ['a kind of a module', { addedKind: 'mine' }, { addedKinds: ['others', 'mine'] }],
  ])('keeps runs that need %s from workers that lack it', async (_, needs, abilities) => {
    const location = await backend.freshQueue();
    const queue = await open(location);
    const [plain, special, cancelled] = [payload(), payload(), payload()];
    await queue.add([
      { payload: special, priority: 1, ...needs },
      { payload: cancelled, priority: 1, ...needs },
      { payload: plain, priority: 1000 },
    ]);
    await queue.remove(cancelled, needs);
    const without = await consume(location);
    await waitUntil('the job for everybody', () => without.taken.length === 1);
    await waitUntil('one job left', async () => (await queue.counts()).active === 0);
    expect(without.taken).toEqual([plain]);
    expect(await queue.counts()).toEqual({ waiting: 1, delayed: 0, active: 0 });
    const having = await consume(location, abilities);
    await waitUntil('the special job', () => having.taken.length === 1);
    expect(having.taken).toEqual([special]);
    expect([...without.errors, ...having.errors]).toEqual([]);
  });

  it('a worker with a GPU and a module takes all sorts, and never more at once than it has slots', async () => {
    const location = await backend.freshQueue();
    const queue = await open(location);
    const jobs = Array.from({ length: 8 }, (_, index) => ({
      payload: payload(),
      priority: 1000,
      requiresGpu: index % 2 === 0,
      addedKind: index < 4 ? null : 'mine',
    }));
    await queue.add(jobs);
    let held = 0;
    let most = 0;
    const done: QueuePayload[] = [];
    const { errors } = await consume(location, {
      takesGpuRuns: true,
      addedKinds: ['mine'],
      slots: 2,
      onJob: async (job) => {
        held += 1;
        most = Math.max(most, held);
        await delay(30);
        held -= 1;
        done.push(job);
      },
    });
    await waitUntil('all jobs', () => done.length === jobs.length, 20_000);
    expect(most).toBe(2);
    expect(done.map(({ runId }) => runId).sort()).toEqual(jobs.map((job) => job.payload.runId).sort());
    expect(errors).toEqual([]);
  });
});
