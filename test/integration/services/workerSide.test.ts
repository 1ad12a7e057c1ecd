import { describe, expect, it } from 'vitest';
import { claimRun } from '../../../src/services/claimRun.ts';
import { cancelRuns } from '../../../src/services/cancelRuns.ts';
import { endAttempt } from '../../../src/services/endAttempt.ts';
import { enqueueRuns } from '../../../src/services/enqueueRuns.ts';
import { requireRun } from '../../../src/services/findRun.ts';
import { backoffMs } from '../../../src/services/loseAttempt.ts';
import { metricHistory } from '../../../src/services/metricHistory.ts';
import { newMetrics } from '../../../src/services/newMetrics.ts';
import { readLogs } from '../../../src/services/readLogs.ts';
import { recordReports } from '../../../src/services/recordReports.ts';
import { heartbeatWorker, stopWorker } from '../../../src/services/registerWorker.ts';
import { listWorkers } from '../../../src/services/listWorkers.ts';
import { releaseRun } from '../../../src/services/releaseRun.ts';
import { renewLease } from '../../../src/services/renewLease.ts';
import { retryRuns } from '../../../src/services/retryRuns.ts';
import { inTransaction } from '../../../src/store/connection.ts';
import { settleWaitingRuns } from '../../../src/store/waitingRuns.ts';
import { listArtifacts } from '../../../src/store/artifactRecord.ts';
import { listAttempts } from '../../../src/store/attemptRecord.ts';
import { listDatasets } from '../../../src/store/datasetRecord.ts';
import { listSeries } from '../../../src/store/metricSeries.ts';
import { listRunEvents } from '../../../src/store/runEvent.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { aRun, aWorker, claim, point, servicesForTests } from './support.ts';

const postgres = await postgresForTests();
const context = await servicesForTests(postgres.url);
const worker = await aWorker(context);
const SHA = 'a'.repeat(64);

/** A run that `worker` holds in its first attempt. */
async function aHeldRun(input: Parameters<typeof aRun>[1] = {}) {
  const run = await aRun(context, input);
  const claimed = await claim(context, run, { worker });
  expect(claimed).not.toBeNull();
  return { run: claimed!.run, holder: { runId: run.id, attempt: 1, workerId: worker.id } };
}

const checkpoint = (step: number) =>
  ({
    type: 'artifact',
    name: 'checkpoint/latest',
    role: 'checkpoint',
    mediaType: 'application/octet-stream',
    sha256: SHA,
    sizeBytes: 10,
    step,
  }) as const;

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
    const claimed = await claim(context, run, { worker });
    expect(claimed).toMatchObject({
      run: { id: run.id, state: 'RUNNING', attempt: 1, workerId: worker.id, seed: 7 },
      configuration: { kind: 'popularity', datasetName: 'generated/markov-small' },
      checkpoint: null,
      inputs: [],
    });
    expect(claimed!.run.leaseExpiresAt!.getTime()).toBeGreaterThan(Date.now() + 10_000);
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
    const { run, holder } = await aHeldRun();
    expect(await renewLease(context, holder)).toBe('renewed');
    expect(await cancelRuns(context, [run.id])).toMatchObject([{ done: true, run: { state: 'RUNNING' } }]);
    expect(await renewLease(context, holder)).toBe('cancel');
    expect(await renewLease(context, { ...holder, attempt: 2 })).toBe('lost');
    await endAttempt(context, { ...holder, outcome: { state: 'CANCELLED' } });
    expect(await renewLease(context, holder)).toBe('lost');
  });
});

describe('reports', () => {
  it('keep every kind of value on the way to a reader', async () => {
    const { run, holder } = await aHeldRun();
    const values = [0.1 + 0.2, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 5e-324, -1e-300, 1e308];
    await recordReports(context, {
      ...holder,
      reports: [
        ...values.map((value, step) => point('odd/values', step, value)),
        { ...point('large/steps', 0, 1), step: 2 ** 53 },
        { ...point('large/steps', 0, 2), step: 2 ** 53 - 1 },
        { type: 'log', line: 0, level: 'warn', text: 'a\0b \ud800 ü', timeMs: 5 },
        { type: 'progress', fraction: 0.5, message: 'half' },
        { type: 'environment', values: { fingerprint: 'f1', datasetStatistics: { users: 3 }, share: Number.NaN } },
        checkpoint(12),
      ],
    });
    const [steps, odd] = await metricHistory(context, { runIds: [run.id] });
    expect(odd).toMatchObject({ name: 'odd/values', steps: values.map((_, step) => step), pointCount: 7 });
    expect(odd!.values).toEqual(values);
    expect(steps).toMatchObject({ name: 'large/steps', steps: [2 ** 53 - 1, 2 ** 53], values: [2, 1] });
    expect(odd!.times).toEqual(values.map((_, step) => Date.UTC(2026, 10, 21) + step));
    const series = await listSeries(context.db, [run.id], ['odd/values']);
    expect(series).toMatchObject([{ lastStep: 6, lastValue: 1e308, minimum: -1e-300, maximum: 1e308 }]);
    const { lines } = await readLogs(context, { runId: run.id });
    expect(lines).toMatchObject([{ attempt: 1, line: 0, level: 'warn', text: 'a\ufffdb \ufffd ü' }]);
    expect(await requireRun(context, run.id)).toMatchObject({
      progress: 0.5,
      progressMessage: 'half',
      environment: { fingerprint: 'f1', share: null },
    });
    expect(await listDatasets(context.db)).toMatchObject([
      { name: 'generated/markov-small', fingerprint: 'f1', statistics: { users: 3 } },
    ]);
    expect(await listArtifacts(context.db, [run.id])).toMatchObject([{ name: 'checkpoint/latest', step: 12 }]);
  });

  it('keep the statistics of a whole dataset over those of a part, and leave tables out of the run', async () => {
    const { run, holder } = await aHeldRun();
    const told = async (statistics: Record<string, unknown>) => {
      const values = { fingerprint: 'f2', datasetStatistics: { ...statistics, lengthHistogram: [1, 2] } };
      await recordReports(context, { ...holder, reports: [{ type: 'environment', values }] });
      const seen = (await listDatasets(context.db)).find(({ fingerprint }) => fingerprint === 'f2');
      return seen?.statistics.users;
    };
    expect(await told({ users: 1, filtered: true })).toBe(1);
    expect(await told({ users: 2, filtered: true })).toBe(1);
    expect(await told({ users: 3, filtered: false })).toBe(3);
    expect(await told({ users: 1, filtered: true })).toBe(3);
    const { environment } = await requireRun(context, run.id);
    expect(environment).toMatchObject({ datasetStatistics: { users: 1, filtered: true } });
    expect(environment.datasetStatistics).not.toHaveProperty('lengthHistogram');
  });

  it('change nothing when a batch comes again', async () => {
    const { run, holder } = await aHeldRun();
    const reports = [
      ...Array.from({ length: 100 }, (_, step) => point('train/loss', step, 100 - step)),
      { type: 'log', line: 0, level: 'info', text: 'first', timeMs: 5 } as const,
      checkpoint(3),
    ];
    await recordReports(context, { ...holder, reports });
    const before = await listSeries(context.db, [run.id]);
    const again = reports.map((report) => (report.type === 'metric' ? { ...report, value: -1 } : report));
    await recordReports(context, { ...holder, reports: again });
    expect(await listSeries(context.db, [run.id])).toEqual(before);
    expect(before).toMatchObject([{ pointCount: 100, lastStep: 99, lastValue: 1, minimum: 1, maximum: 100 }]);
    expect((await readLogs(context, { runId: run.id })).lines).toHaveLength(1);
  });

  it('keep the first of two points of one step, and the value of the greatest step as the last', async () => {
    const { run, holder } = await aHeldRun();
    await recordReports(context, { ...holder, reports: [point('m', 5, 1), point('m', 5, 2), point('m', 9, 3)] });
    await recordReports(context, { ...holder, reports: [point('m', 7, 100), point('m', 9, 4)] });
    expect(await listSeries(context.db, [run.id])).toMatchObject([
      { pointCount: 3, lastStep: 9, lastValue: 3, minimum: 1, maximum: 100 },
    ]);
  });

  it('of a zombie attempt are refused whole', async () => {
    const { run, holder } = await aHeldRun();
    await releaseRun(context, { ...holder, reason: 'test' });
    const reports = [point('m', 1, 1), { type: 'progress', fraction: 1, message: '' } as const];
    await expect(recordReports(context, { ...holder, reports })).rejects.toMatchObject({ code: 'LEASE_LOST' });
    expect(await claim(context, run, { worker, attempt: 2 })).not.toBeNull();
    await expect(recordReports(context, { ...holder, reports })).rejects.toMatchObject({ code: 'LEASE_LOST' });
    const outcome = { state: 'SUCCEEDED' } as const;
    await expect(endAttempt(context, { ...holder, outcome })).rejects.toMatchObject({ code: 'LEASE_LOST' });
    expect(await listSeries(context.db, [run.id])).toEqual([]);
    expect(await requireRun(context, run.id)).toMatchObject({ state: 'RUNNING', attempt: 2, progress: 0 });
  });

  it('with an impossible step are refused whole', async () => {
    const { run, holder } = await aHeldRun();
    for (const step of [-1, 0.5, 2 ** 53 + 2, Number.NaN]) {
      const reports = [point('a', 0, 1), point('m', step, 1)];
      await expect(recordReports(context, { ...holder, reports })).rejects.toMatchObject({ code: 'BAD_INPUT' });
    }
    expect(await listSeries(context.db, [run.id])).toEqual([]);
  });

  it('come to a reader flush by flush', async () => {
    const { run, holder } = await aHeldRun();
    await recordReports(context, { ...holder, reports: [point('a', 0, 1), point('b', 0, 2)] });
    const first = await newMetrics(context, { runId: run.id, after: 0 });
    expect(first).toMatchObject({ cursor: 1, more: false });
    expect(first.series.map((one) => [one.name, one.steps, one.values])).toEqual([
      ['a', [0], [1]],
      ['b', [0], [2]],
    ]);
    await recordReports(context, { ...holder, reports: [point('a', 0, 9), point('a', 1, 3)] });
    await recordReports(context, { ...holder, reports: [point('b', 1, 4)] });
    const next = await newMetrics(context, { runId: run.id, after: first.cursor, names: ['a'] });
    expect(next.series.map((one) => [one.name, one.steps, one.values])).toEqual([['a', [1], [3]]]);
    expect(next).toMatchObject({ cursor: 3, more: false });
    expect(await newMetrics(context, { runId: run.id, after: 3 })).toEqual({ series: [], cursor: 3, more: false });
  });
});

describe('the end of an attempt', () => {
  it('ends the run, once', async () => {
    const { run, holder } = await aHeldRun();
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
    const { run, holder } = await aHeldRun();
    const error = { code: 'RUN_FAILED', message: 'loss is NaN', stack: 'at line 3' } as const;
    await endAttempt(context, { ...holder, outcome: { state: 'FAILED', error } });
    expect(await requireRun(context, run.id)).toMatchObject({
      state: 'FAILED',
      errorCode: 'RUN_FAILED',
      errorMessage: 'loss is NaN',
      errorStack: 'at line 3',
    });
  });

  it('by the machinery queues the run again with a growing pause, until the attempts are used up', async () => {
    const { run } = await aHeldRun({ maxAttempts: 3 });
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
    expect([1, 2, 3, 7, 8, 50].map(backoffMs)).toEqual([1000, 2000, 4000, 60_000, 60_000, 60_000]);
  });

  it('by a worker that stops costs no attempt', async () => {
    const { run } = await aHeldRun({ maxAttempts: 1 });
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
    const { run, holder } = await aHeldRun();
    await cancelRuns(context, [run.id]);
    await releaseRun(context, { ...holder, reason: 'shutting down' });
    expect(await requireRun(context, run.id)).toMatchObject({ state: 'CANCELLED' });
  });
});

describe('an attempt after another', () => {
  it('goes on from the checkpoint: later points are gone, system metrics and earlier ones stay', async () => {
    const { run, holder } = await aHeldRun();
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

  it('without a checkpoint begins anew', async () => {
    const { run, holder } = await aHeldRun();
    await recordReports(context, { ...holder, reports: [point('a', 0, 1), point('system/cpu', 0, 1)] });
    await releaseRun(context, { ...holder, reason: 'test' });
    expect((await claim(context, run, { worker, attempt: 2 }))!.checkpoint).toBeNull();
    expect((await listSeries(context.db, [run.id])).map((one) => one.name)).toEqual(['system/cpu']);
  });
});

describe('inputs', () => {
  const artifact = (name: string) =>
    ({ type: 'artifact', name, role: 'output', mediaType: 'text/plain', sha256: SHA, sizeBytes: 1 }) as const;

  it('release a waiting run when the last of them is there, and come with the claim', async () => {
    const { run: source, holder } = await aHeldRun();
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
    const { run: source, holder } = await aHeldRun();
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
    const { run: slow } = await aHeldRun();
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
    expect(await heartbeatWorker(context, passing.id)).toBe(true);
    expect((await listWorkers(context)).map((one) => one.name)).toContain('passing');
    await stopWorker(context, passing.id);
    expect((await listWorkers(context)).map((one) => one.name)).not.toContain('passing');
    expect((await listWorkers(context, { includeStopped: true })).map((one) => one.name)).toContain('passing');
    expect(await heartbeatWorker(context, '00000000-0000-4000-8000-000000000000')).toBe(false);
  });
});
