import { afterEach, expect, it, vi } from 'vitest';
import { type QueuePayload, jobIdOf } from '#src/base/contracts/queuePayload.ts';
import { consumeRuns } from '#src/base/platform/queue/runConsumer.ts';
import { endAttempt } from '#src/attempts/endAttempt.ts';
import { createReconcilerState, reconcileRuns } from '#src/attempts/reconcileRuns.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { aHeldRun, aRun, aWorker, servicesForTests } from './support.ts';

const HOUR_MS = 3_600_000;
const postgres = await postgresForTests();
afterEach(() => void vi.useRealTimers());

it('are all put into an empty queue again in time, and runs for GPUs keep no others out', async () => {
  const context = await servicesForTests(postgres.url);
  const run = await aRun(context);
  await context.queue.remove({ runId: run.id, attempt: 1 });
  const columns = 'project_id, configuration_hash, seed, name, state';
  const copies = (count: number, gpu: boolean) =>
    context.db.$executeRawUnsafe(
      `INSERT INTO run (id, ${columns}, priority, requires_gpu, created_at)
       SELECT gen_random_uuid(), ${columns}, ${gpu ? 1 : 1000}, ${gpu}, now() - interval '1 minute'
       FROM run, generate_series(1, ${count}) WHERE run.id = '${run.id}'::uuid`,
    );
  await copies(1_000, true);
  await copies(1_001, false);
  const state = createReconcilerState();
  expect(await reconcileRuns(context, state)).toMatchObject({ offered: 2_000 });
  await waitUntil('the first of both queues', async () => (await context.queue.counts()).waiting === 2_000);
  await reconcileRuns(context, state);
  await waitUntil('the rest', async () => (await context.queue.counts()).waiting >= 2_001);
});

it.each([
  ['an hour behind', -HOUR_MS],
  ['an hour ahead', HOUR_MS],
])('begin in time, also where the clock of the process that queued them is %s', async (_, skewMs) => {
  const url = await postgres.freshDatabase();
  const context = await servicesForTests(url);
  const { run, holder } = await aHeldRun(context, await aWorker(context));
  await context.queue.remove({ runId: run.id, attempt: 1 });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + skewMs });
  await endAttempt(context, {
    ...holder,
    outcome: { state: 'FAILED', error: { code: 'UNAVAILABLE', message: 'the store was away' } },
  });
  vi.useRealTimers();
  expect((await context.queue.counts()).delayed).toBe(1);
  // As if some seconds had passed since it has been due.
  await context.db.$executeRaw`UPDATE run SET not_before = now() - interval '5 seconds' WHERE id = ${run.id}::uuid`;
  await reconcileRuns(context, createReconcilerState());
  const taken: QueuePayload[] = [];
  const consumer = await consumeRuns({
    databaseUrl: url,
    redisUrl: null,
    slots: 1,
    onJob: async (payload) => void taken.push(payload),
    onError: () => {},
  });
  try {
    await waitUntil('its next attempt to be offered', () => taken.length > 0);
    expect(taken.map(jobIdOf)).toEqual([`${run.id}-2`]);
  } finally {
    await consumer.close();
  }
});
