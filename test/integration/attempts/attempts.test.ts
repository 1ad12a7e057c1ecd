import { describe, expect, it } from 'vitest';
import { TIMING } from '#src/base/platform/timing.ts';
import { claimRun } from '#src/attempts/claimRun.ts';
import { cancelRuns } from '#src/runs/cancelRuns.ts';
import { endAttempt } from '#src/attempts/endAttempt.ts';
import { enqueueRuns } from '#src/runs/enqueueRuns.ts';
import { requireRun } from '#src/runs/findRun.ts';
import { backoffMs } from '#src/attempts/loseAttempt.ts';
import { recordReports } from '#src/attempts/recordReports.ts';
import { heartbeatWorker, stopWorker, listWorkers } from '#src/fleet/workers.ts';
import { releaseRun } from '#src/attempts/releaseRun.ts';
import { renewLease } from '#src/attempts/renewLease.ts';
import { retryRuns } from '#src/runs/retryRuns.ts';
import { inTransaction } from '#src/base/database/connection.ts';
import { settleWaitingRuns } from '#src/runs/store/waitingRuns.ts';
import { listAttempts } from '#src/runs/store/attemptRecord.ts';
import { listSeries } from '#src/metrics/store/metricSeries.ts';
import { listRunTexts } from '#src/runs/store/runTexts.ts';
import { listRunEvents } from '#src/runs/store/runEvent.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { aHeldRun, aRun, aWorker, checkpoint, claim, point, servicesForTests } from '../services/support.ts';

const postgres = await postgresForTests();
const context = await servicesForTests(postgres.url);
const worker = await aWorker(context);
const SHA = 'a'.repeat(64);

describe('claiming', () => {
  it('gives a run to one of two workers that want it at once', async () => {
    const other = await aWorker(context, 'other');
    for (let round = 0; round < 10; round++) {
      const run = await aRun(context);
      const claims = await Promise.all([worker, other, worker, other].map((by) => claim(context, run, { worker: by })));
      expect(claims.filter((claimed) => claimed !== null)).toHaveLength(1);
      expect(await listAttempts(context.db, [run.id])).toHaveLength(1);
    }
  });

  it('hands over configuration and inputs, and writes the attempt down', async () => {
    const run = await aRun(context, { seeds: [7] });
    const askedMs = Date.now();
    const claimed = await claim(context, run, { worker });
    expect(claimed).toMatchObject({
      run: { id: run.id, state: 'RUNNING', attempt: 1, workerId: worker.id, seed: 7 },
      configuration: { kind: 'popularity', datasetName: 'generated/markov-small' },
      checkpoint: null,
      inputs: [],
    });
    expect(claimed!.run.leaseExpiresAt!.getTime()).toBeGreaterThan(askedMs + TIMING.leaseMs - 100);
    const events = await listRunEvents(context.db, [run.id]);
    expect(events.map((event) => event.type)).toEqual(['queued', 'claimed']);
  });

  it('refuses stale attempts, cancelled runs and runs that are not due', async () => {
    const run = await aRun(context);
    expect(await claim(context, run, { worker, attempt: 2 })).toBeNull();
    await cancelRuns(context, [run.id]);
    expect(await claim(context, run, { worker })).toBeNull();
    const later = await aRun(context);
    await context.db.run.update({ where: { id: later.id }, data: { notBefore: new Date(Date.now() + 60_000) } });
    expect(await claim(context, later, { worker })).toBeNull();
    const unknown = { runId: '00000000-0000-4000-8000-000000000000', attempt: 1 };
    const by = { workerId: worker.id, workerName: 'w', backend: 'cpu', device: 'cpu' };
    expect(await claimRun(context, { payload: unknown, ...by })).toBeNull();
  });
});

describe('leases', () => {
  it('are renewed, tell of cancellation, and are lost', async () => {
    const { run, holder } = await aHeldRun(context, worker);
    expect(await renewLease(context, holder)).toBe('renewed');
    expect(await cancelRuns(context, [run.id])).toMatchObject([{ done: true, run: { state: 'RUNNING' } }]);
    expect(await renewLease(context, holder)).toBe('cancel');
    expect(await renewLease(context, { ...holder, attempt: 2 })).toBe('lost');
    await endAttempt(context, { ...holder, outcome: { state: 'CANCELLED' } });
    expect(await renewLease(context, holder)).toBe('lost');
  });
});

describe('the end of an attempt', () => {
  it('ends the run, once', async () => {
    const { run, holder } = await aHeldRun(context, worker);
    await endAttempt(context, { ...holder, outcome: { state: 'SUCCEEDED' } });
    await endAttempt(context, { ...holder, outcome: { state: 'SUCCEEDED' } });
    const ended = await requireRun(context, run.id);
    expect(ended).toMatchObject({ state: 'SUCCEEDED', progress: 1, leaseExpiresAt: null, errorCode: null });
    expect(ended.endedAt).not.toBeNull();
    const events = await listRunEvents(context.db, [run.id]);
    expect(events.filter((event) => event.type === 'ended')).toHaveLength(1);
    const failed = { state: 'FAILED', error: { code: 'INTERNAL', message: 'no' } } as const;
    await expect(endAttempt(context, { ...holder, outcome: failed })).rejects.toMatchObject({ code: 'LEASE_LOST' });
  });

  it("by the user's own mistake fails the run at once", async () => {
    const { run, holder } = await aHeldRun(context, worker);
    const error = { code: 'RUN_FAILED', message: 'loss is NaN', stack: 'at line 3' } as const;
    await endAttempt(context, { ...holder, outcome: { state: 'FAILED', error } });
    expect(await requireRun(context, run.id)).toMatchObject({
      state: 'FAILED',
      errorCode: 'RUN_FAILED',
      errorMessage: 'loss is NaN',
    });
    expect(await listRunTexts(context.db, [run.id])).toMatchObject([{ errorStack: 'at line 3' }]);
  });

  it('by the machinery queues the run again with a growing pause, until the attempts are used up', async () => {
    const { run } = await aHeldRun(context, worker, { maxAttempts: 3 });
    const error = { code: 'UNAVAILABLE', message: 'no disk' } as const;
    for (const attempt of [1, 2]) {
      const before = Date.now();
      const holder = { runId: run.id, attempt, workerId: worker.id };
      await endAttempt(context, { ...holder, outcome: { state: 'FAILED', error } });
      const queued = await requireRun(context, run.id);
      expect(queued).toMatchObject({ state: 'QUEUED', attempt, errorCode: null });
      expect(queued.notBefore!.getTime()).toBeGreaterThanOrEqual(before + backoffMs(attempt) - 50);
      await context.db.run.update({ where: { id: run.id }, data: { notBefore: null } });
      expect(await claim(context, run, { worker, attempt: attempt + 1 })).not.toBeNull();
    }
    const last = { runId: run.id, attempt: 3, workerId: worker.id };
    await endAttempt(context, { ...last, outcome: { state: 'FAILED', error } });
    expect(await requireRun(context, run.id)).toMatchObject({ state: 'FAILED', errorCode: 'UNAVAILABLE' });
    await retryRuns(context, [run.id]);
    await context.db.run.update({ where: { id: run.id }, data: { notBefore: null } });
    expect(await claim(context, run, { worker, attempt: 4 })).not.toBeNull();
    const retried = { runId: run.id, attempt: 4, workerId: worker.id };
    await endAttempt(context, { ...retried, outcome: { state: 'FAILED', error } });
    expect(await requireRun(context, run.id)).toMatchObject({ state: 'QUEUED', attempt: 4 });
  });

  it('waits one second, then twice as long each time, at most a minute', () => {
    const scaled = (ms: number) => (ms * TIMING.firstBackoffMs) / 1_000;
    expect([1, 2, 3, 7, 8, 50].map(backoffMs)).toEqual([1000, 2000, 4000, 60_000, 60_000, 60_000].map(scaled));
  });

  it('by a worker that stops costs no attempt', async () => {
    const { run } = await aHeldRun(context, worker, { maxAttempts: 1 });
    for (const attempt of [1, 2, 3]) {
      await releaseRun(context, { runId: run.id, attempt, workerId: worker.id, reason: 'shutting down' });
      expect(await requireRun(context, run.id)).toMatchObject({ state: 'QUEUED', attempt });
      expect(await claim(context, run, { worker, attempt: attempt + 1 })).not.toBeNull();
    }
    expect((await listAttempts(context.db, [run.id])).map((attempt) => attempt.state)).toEqual([
      'LOST',
      'LOST',
      'LOST',
      'RUNNING',
    ]);
  });

  it('by a worker that stops ends a run that was asked to stop', async () => {
    const { run, holder } = await aHeldRun(context, worker);
    await cancelRuns(context, [run.id]);
    await releaseRun(context, { ...holder, reason: 'shutting down' });
    expect(await requireRun(context, run.id)).toMatchObject({ state: 'CANCELLED' });
  });
});

describe('an attempt after another', () => {
  it('goes on from the checkpoint: later points are gone, system metrics and earlier ones stay', async () => {
    const { run, holder } = await aHeldRun(context, worker);
    const reports = [0, 1, 2, 3, 4, 5].flatMap((step) => [
      point('train/loss', step, 10 - step),
      point('system/cpu', step, step),
    ]);
    await recordReports(context, { ...holder, reports: [...reports, point('late', 5, 1), checkpoint(2)] });
    await releaseRun(context, { ...holder, reason: 'test' });
    const resumed = await claim(context, run, { worker, attempt: 2 });
    expect(resumed!.checkpoint).toMatchObject({ name: 'checkpoint/latest', step: 2 });
    expect(await listSeries(context.db, [run.id])).toMatchObject([
      { name: 'system/cpu', pointCount: 6 },
      { name: 'train/loss', pointCount: 3, lastStep: 2, lastValue: 8, minimum: 8, maximum: 10 },
    ]);
    const second = { ...holder, attempt: 2 };
    await recordReports(context, { ...second, reports: [point('train/loss', 3, 7.5)] });
    expect(await listSeries(context.db, [run.id], ['train/loss'])).toMatchObject([
      { pointCount: 4, lastStep: 3, lastValue: 7.5, minimum: 7.5, maximum: 10 },
    ]);
    expect((await listAttempts(context.db, [run.id])).map((attempt) => attempt.resumedFromStep)).toEqual([null, 2]);
  });

  it('is told how the checkpoint was rounded, which runs of before do not say', async () => {
    for (const [told, expected] of [
      [{}, 'plain'],
      [{ arithmetic: 'fused' }, 'fused'],
    ] as const) {
      const { run, holder } = await aHeldRun(context, worker);
      await recordReports(context, { ...holder, reports: [{ type: 'environment', values: told }, checkpoint(2)] });
      await releaseRun(context, { ...holder, reason: 'test' });
      expect((await claim(context, run, { worker, attempt: 2 }))!.checkpointArithmetic).toBe(expected);
    }
  });

  it('without a checkpoint begins anew', async () => {
    const { run, holder } = await aHeldRun(context, worker);
    await recordReports(context, { ...holder, reports: [point('a', 0, 1), point('system/cpu', 0, 1)] });
    await releaseRun(context, { ...holder, reason: 'test' });
    expect(await claim(context, run, { worker, attempt: 2 })).toMatchObject({
      ...{ checkpoint: null, checkpointArithmetic: null },
    });
    expect((await listSeries(context.db, [run.id])).map((one) => one.name)).toEqual(['system/cpu']);
  });
});

describe('inputs', () => {
  const artifact = (name: string) =>
    ({ type: 'artifact', name, role: 'output', mediaType: 'text/plain', sha256: SHA, sizeBytes: 1 }) as const;

  it('release a waiting run when the last of them is there, and come with the claim', async () => {
    const { run: source, holder } = await aHeldRun(context, worker);
    const [waiting] = await enqueueRuns(context, {
      kind: 'popularity',
      dataset: 'generated/markov-small',
      inputs: [{ name: 'embedding', runId: String(source.number), artifactName: 'items.npy' }],
    });
    expect(waiting).toMatchObject({ state: 'WAITING' });
    expect(await claim(context, waiting!, { worker })).toBeNull();
    await recordReports(context, { ...holder, reports: [artifact('items.npy')] });
    expect(await requireRun(context, waiting!.id)).toMatchObject({ state: 'WAITING' });
    await endAttempt(context, { ...holder, outcome: { state: 'SUCCEEDED' } });
    expect(await requireRun(context, waiting!.id)).toMatchObject({ state: 'QUEUED' });
    const claimed = await claim(context, waiting!, { worker });
    expect(claimed!.inputs).toMatchObject([{ name: 'embedding', artifact: { runId: source.id, sha256: SHA } }]);
  });

  it('that cannot come fail the run that waits for them', async () => {
    const { run: source, holder } = await aHeldRun(context, worker);
    const wait = (on: string) => ({ inputs: [{ name: 'x', runId: on, artifactName: 'x.npy' }] });
    const second = await aRun(context, wait(source.id));
    await endAttempt(context, { ...holder, outcome: { state: 'SUCCEEDED' } });
    expect(await requireRun(context, second.id)).toMatchObject({
      state: 'FAILED',
      errorMessage: `input "x" needs "x.npy" of run ${source.number}, which ended without leaving it`,
    });
  });
});

describe('many waiting runs', () => {
  it('do not keep one from being released whose inputs are there', async () => {
    const { run: slow } = await aHeldRun(context, worker);
    const on = (runId: string) => ({ inputs: [{ name: 'x', runId, artifactName: 'x.npy' }] });
    const seeds = Array.from({ length: 1000 }, (_, seed) => seed);
    const { id } = await aRun(context, { ...on(slow.id), seeds, priority: 1 });
    await aRun(context, { ...on(slow.id), seeds: [1001, 1002], priority: 1 });
    const ready = await aRun(context, { ...on(slow.id) });
    await context.db.runInput.deleteMany({ where: { runId: ready.id } });
    const { queued, failed } = await inTransaction(context.db, (connection) => settleWaitingRuns(connection));
    expect(queued.map((run) => run.id)).toEqual([ready.id]);
    expect(failed).toEqual([]);
    expect(await requireRun(context, id)).toMatchObject({ state: 'WAITING' });
  });
});

describe('workers', () => {
  it('are listed while they live', async () => {
    const passing = await aWorker(context, 'passing');
    expect(await heartbeatWorker(context, passing.id)).toMatchObject({ draining: false });
    expect((await listWorkers(context)).map((one) => one.name)).toContain('passing');
    await stopWorker(context, passing.id);
    expect((await listWorkers(context)).map((one) => one.name)).not.toContain('passing');
    expect((await listWorkers(context, { includeStopped: true })).map((one) => one.name)).toContain('passing');
    expect(await heartbeatWorker(context, '00000000-0000-4000-8000-000000000000')).toBeNull();
  });
});
