import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openRunQueue } from '#src/base/platform/queue/runQueue.ts';
import { cancelRuns } from '#src/runs/cancelRuns.ts';
import { deleteRuns, restoreRuns } from '#src/runs/deleteRuns.ts';
import { endAttempt } from '#src/attempts/endAttempt.ts';
import { enqueueRuns } from '#src/runs/enqueueRuns.ts';
import { requireRun } from '#src/runs/findRun.ts';
import { listRuns } from '#src/runs/listRuns.ts';
import { consumeRuns } from '#src/base/platform/queue/runConsumer.ts';
import { pauseQueue, resumeQueue } from '#src/queue/pauseQueue.ts';
import { prioritizeRuns } from '#src/queue/prioritizeRuns.ts';
import { drainWorker } from '#src/fleet/drainWorker.ts';
import { nextRuns, queueOverview } from '#src/queue/queueOverview.ts';
import { retryRuns } from '#src/runs/retryRuns.ts';
import { updateRun } from '#src/runs/updateRun.ts';
import { listRunEvents } from '#src/runs/store/runEvent.ts';
import { listRunTexts } from '#src/runs/store/runTexts.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { aRun, aWorker, claim, servicesForTests } from './support.ts';

const postgres = await postgresForTests();
const context = await servicesForTests(postgres.url);
const worker = await aWorker(context);
const basic = { kind: 'popularity', dataset: 'generated/markov-small' };

async function aFailedRun() {
  const run = await aRun(context);
  await claim(context, run, { worker });
  const outcome = { state: 'FAILED', error: { code: 'RUN_FAILED', message: 'no' } } as const;
  await endAttempt(context, { runId: run.id, attempt: 1, workerId: worker.id, outcome });
  return run;
}

describe('enqueueRuns', () => {
  it('queues one run per seed, in their order, all of one configuration, with a job each', async () => {
    const before = await context.queue.counts();
    const seeds = Array.from({ length: 300 }, (_, index) => 300 - index);
    const runs = await enqueueRuns(context, { ...basic, seeds, project: 'many', tags: [' a ', 'b', 'a'] });
    expect(runs.map((run) => run.seed)).toEqual(seeds);
    expect(runs.map((run) => run.number)).toEqual(seeds.map((_, index) => runs[0]!.number + index));
    expect(new Set(runs.map((run) => run.configurationHash)).size).toBe(1);
    expect(runs[5]).toMatchObject({ state: 'QUEUED', attempt: 0, tags: ['a', 'b'], priority: 1000 });
    expect((await context.queue.counts()).waiting - before.waiting).toBe(300);
    await cancelRuns(
      context,
      runs.map((run) => run.id),
    );
    await waitUntil(
      'their jobs to be taken out',
      async () => (await context.queue.counts()).waiting === before.waiting,
    );
  });

  it('queues a run that needs a GPU for workers that have one, which the overview tells', async () => {
    const gpu = { kind: 'sasrec', dataset: 'generated/markov-small', parameters: { requires: 'gpu' } };
    const before = await context.queue.counts();
    const [run] = await enqueueRuns(context, gpu);
    expect(run).toMatchObject({ state: 'QUEUED', requiresGpu: true });
    expect((await enqueueRuns(context, basic))[0]).toMatchObject({ requiresGpu: false });
    expect((await context.queue.counts()).waiting).toBe(before.waiting + 2);
    expect(await queueOverview(context)).toMatchObject({ queuedForGpu: 1, gpuWorkers: 0 });
    await aWorker(context, 'worker with a GPU', { gpu: true });
    expect(await queueOverview(context)).toMatchObject({ queuedForGpu: 1, gpuWorkers: 1 });
    await cancelRuns(context, [run!.id]);
    expect((await context.queue.counts()).waiting).toBe(before.waiting + 1);
    expect(await queueOverview(context)).toMatchObject({ queuedForGpu: 0 });
  });

  it('shares configurations between requests that mean the same', async () => {
    const a = await aRun(context);
    const b = await aRun(context, { dataset: { name: 'generated/markov-small', core: 0 }, project: 'other' });
    const c = await aRun(context, { dataset: { name: 'generated/markov-small', core: 3 } });
    expect(b.configurationHash).toBe(a.configurationHash);
    expect(c.configurationHash).not.toBe(a.configurationHash);
  });

  it('refuses what cannot be, says where, and queues nothing', async () => {
    const count = await context.db.run.count();
    const cases: [Parameters<typeof enqueueRuns>[1], RegExp, string][] = [
      [{ ...basic, kind: 'populrity' }, /Did you mean "popularity"/, 'kind'],
      [{ ...basic, kind: 'external' }, /createRun/, 'kind'],
      [{ ...basic, parameters: { nonsense: 1 } }, /parameters\.nonsense: is not known/, 'parameters.nonsense'],
      [{ ...basic, seeds: [] }, /expected 1 to 1000 seeds, received 0/, 'seeds'],
      [{ ...basic, seeds: [1, 2, 1] }, /1 is given twice/, 'seeds'],
      [{ ...basic, seeds: [-1] }, /received -1/, 'seeds'],
      [{ ...basic, priority: 0 }, /received 0, expected a whole number from 1 to 2,097,151/, 'priority'],
      [{ ...basic, project: '  ' }, /1 to 200 characters/, 'project'],
      [{ ...basic, tags: [''] }, /1 to 100 characters/, 'tags'],
      [
        { ...basic, inputs: [{ name: 'x', runId: '999999', artifactName: 'x' }] },
        /there is no run 999999/,
        'inputs[0].runId',
      ],
    ];
    for (const [input, message, path] of cases) {
      const refused = await enqueueRuns(context, input).catch((error: unknown) => error);
      expect(refused).toMatchObject({ message: expect.stringMatching(message), path });
    }
    expect(await context.db.run.count()).toBe(count);
  });

  it('queues also while the queue is away: the job follows', async () => {
    const closed = await openRunQueue({ databaseUrl: postgres.url, redisUrl: null });
    await closed.close();
    const run = await aRun({ ...context, queue: closed });
    expect(await requireRun(context, run.id)).toMatchObject({ state: 'QUEUED' });
  });
});

describe('cancelRuns', () => {
  it('ends queued runs at once, asks running ones, and says why it cannot', async () => {
    const queued = await aRun(context);
    const running = await aRun(context);
    await claim(context, running, { worker });
    const failed = await aFailedRun();
    const outcomes = await cancelRuns(context, [String(queued.number), running.id, failed.id, '0', 'x']);
    expect(outcomes).toMatchObject([
      { id: String(queued.number), done: true, run: { state: 'CANCELLED' } },
      { done: true, run: { state: 'RUNNING' } },
      { done: false, message: `run ${failed.number} has ended already (FAILED)`, run: { id: failed.id } },
      { done: false, message: 'there is no run 0', run: null },
      { done: false, message: expect.stringContaining('names no run') },
    ]);
    expect((await requireRun(context, running.id)).cancelRequestedAt).not.toBeNull();
  });

  it('fails runs that wait for a cancelled one', async () => {
    const source = await aRun(context);
    const inputs = [{ name: 'x', runId: source.id, artifactName: 'x.npy' }];
    const waiting = await aRun(context, { inputs });
    const further = await aRun(context, { inputs: [{ name: 'y', runId: waiting.id, artifactName: 'y' }] });
    await cancelRuns(context, [source.id]);
    const expected = {
      state: 'FAILED',
      errorMessage: expect.stringContaining(`run ${source.number}, which was cancelled`),
    };
    expect(await requireRun(context, waiting.id)).toMatchObject(expected);
    expect(await requireRun(context, further.id)).toMatchObject({ state: 'WAITING' });
    await cancelRuns(context, [(await aRun(context)).id]);
    expect(await requireRun(context, further.id)).toMatchObject({ state: 'FAILED' });
  });

  it('bounds how many at once', async () => {
    await expect(cancelRuns(context, [])).rejects.toMatchObject({ code: 'BAD_INPUT', path: 'ids' });
    const many = Array.from({ length: 1001 }, () => randomUUID());
    await expect(cancelRuns(context, many)).rejects.toMatchObject({ code: 'BAD_INPUT', path: 'ids' });
  });
});

describe('a pause', () => {
  it('keeps runs of its kind from being claimed until it ends, and is refused for kinds that there are not', async () => {
    const run = await aRun(context);
    const other = await aRun(context, { kind: 'markov' });
    expect(await pauseQueue(context, 'popularity')).toMatchObject([{ kind: 'popularity' }]);
    expect(await pauseQueue(context, 'popularity')).toHaveLength(1);
    expect(await claim(context, run, { worker })).toBeNull();
    expect(await claim(context, other, { worker })).not.toBeNull();
    await expect(pauseQueue(context, 'populrity')).rejects.toThrow('Did you mean "popularity"');
    await expect(resumeQueue(context, null)).rejects.toThrow('the whole queue is not paused; paused: popularity');
    expect(await resumeQueue(context, 'popularity')).toEqual([]);
    expect(await claim(context, run, { worker })).not.toBeNull();
  });
});

describe('drainWorker', () => {
  it('keeps a worker, by name or id, from claiming', async () => {
    const drained = await aWorker(context, 'to be drained');
    const run = await aRun(context);
    await drainWorker(context, 'to be drained', { draining: true });
    expect(await claim(context, run, { worker: drained })).toBeNull();
    const back = await drainWorker(context, drained.id, { draining: false });
    expect(back.drainRequestedAt).toBeNull();
    expect(await claim(context, run, { worker: drained })).not.toBeNull();
    await aWorker(context, 'twin');
    await aWorker(context, 'twin');
    await expect(drainWorker(context, 'twin', { draining: true })).rejects.toThrow('give the id of one');
    await expect(drainWorker(context, 'nobody', { draining: true })).rejects.toThrow('no worker "nobody" is alive');
  });
});

describe('prioritizeRuns', () => {
  it('moves runs in the queue, also those whose jobs are there, and refuses ended ones', async () => {
    const taken: string[] = [];
    const [first, second, ended] = [await aRun(context), await aRun(context), await aFailedRun()];
    const outcomes = await prioritizeRuns(context, [second.id, ended.id], 2);
    expect(outcomes).toMatchObject([{ done: true, run: { priority: 2 } }, { done: false }]);
    await prioritizeRuns(context, [first.id], 3);
    await expect(prioritizeRuns(context, [first.id], 0)).rejects.toMatchObject({ path: 'priority' });
    const consumer = await consumeRuns({
      ...{ databaseUrl: postgres.url, redisUrl: null, slots: 1 },
      onJob: async ({ runId }) => void taken.push(runId),
      onError: () => {},
    });
    await waitUntil('two jobs', () => taken.length >= 2);
    await consumer.close();
    expect(taken.slice(0, 2)).toEqual([second.id, first.id]);
    expect((await nextRuns(context)).slice(0, 2).map(({ id }) => id)).toEqual([second.id, first.id]);
  });
});

describe('retryRuns', () => {
  it('queues failed runs as a new attempt and refuses others', async () => {
    const failed = await aFailedRun();
    const queued = await aRun(context);
    const outcomes = await retryRuns(context, [failed.id, queued.id]);
    expect(outcomes).toMatchObject([
      { done: true, run: { state: 'QUEUED', attempt: 1, errorCode: null, endedAt: null } },
      { done: false, message: expect.stringContaining('only failed, cancelled and pruned runs') },
    ]);
    expect(await claim(context, failed, { worker, attempt: 2 })).not.toBeNull();
    const types = (await listRunEvents(context.db, [failed.id])).map((event) => event.type);
    expect(types).toEqual(['queued', 'claimed', 'ended', 'retried', 'claimed']);
  });

  it('leaves a run failed whose input cannot come', async () => {
    const source = await aRun(context);
    const waiting = await aRun(context, { inputs: [{ name: 'x', runId: source.id, artifactName: 'x.npy' }] });
    await cancelRuns(context, [source.id]);
    expect(await retryRuns(context, [waiting.id])).toMatchObject([
      { done: false, message: expect.stringContaining('was cancelled'), run: { state: 'FAILED' } },
    ]);
    await retryRuns(context, [source.id]);
    expect(await retryRuns(context, [waiting.id])).toMatchObject([{ done: true, run: { state: 'WAITING' } }]);
  });
});

describe('the trash', () => {
  it('takes ended and queued runs, refuses running ones, and gives back', async () => {
    const ended = await aFailedRun();
    const queued = await aRun(context);
    const running = await aRun(context);
    await claim(context, running, { worker });
    expect(await deleteRuns(context, [ended.id, queued.id, running.id])).toMatchObject([
      { done: true, run: { state: 'FAILED' } },
      { done: true, run: { state: 'CANCELLED' } },
      { done: false, message: `run ${running.number} is running: cancel it first` },
    ]);
    expect(await deleteRuns(context, [ended.id])).toMatchObject([
      { done: false, message: expect.stringMatching(/already/) },
    ]);
    expect(await retryRuns(context, [ended.id])).toMatchObject([
      { done: false, message: expect.stringMatching(/trash/) },
    ]);
    const filter = `number in (${ended.number}, ${queued.number}, ${running.number})`;
    const numbers = async (inTrash: boolean) =>
      (await listRuns(context, { filter, inTrash })).edges.map((edge) => edge.node.number);
    expect(await numbers(true)).toEqual([queued.number, ended.number]);
    expect(await numbers(false)).toEqual([running.number]);
    expect(await restoreRuns(context, [ended.id, running.id])).toMatchObject([
      { done: true, run: { deletedAt: null } },
      { done: false, message: expect.stringMatching(/not in the trash/) },
    ]);
    expect(await numbers(true)).toEqual([queued.number]);
  });

  it('fails runs that wait for what is thrown away', async () => {
    const source = await aRun(context);
    const waiting = await aRun(context, { inputs: [{ name: 'x', runId: source.id, artifactName: 'x.npy' }] });
    await deleteRuns(context, [source.id]);
    expect(await requireRun(context, waiting.id)).toMatchObject({
      state: 'FAILED',
      errorMessage: expect.stringContaining('in the trash'),
    });
  });
});

describe('updateRun', () => {
  it('changes what is given and leaves the rest', async () => {
    const run = await aRun(context, { tags: ['a'] });
    const changed = await updateRun(context, { id: String(run.number), notes: 'why\0not', tags: ['x', 'x'] });
    expect(changed).toMatchObject({ name: run.name, tags: ['x'] });
    expect(await listRunTexts(context.db, [run.id])).toMatchObject([{ notes: 'why\ufffdnot' }]);
    expect((await updateRun(context, { id: run.id, name: ' new ' })).name).toBe('new');
    await expect(updateRun(context, { id: run.id, name: '' })).rejects.toMatchObject({ path: 'name' });
    await expect(updateRun(context, { id: randomUUID() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
