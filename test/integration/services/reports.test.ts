import { describe, expect, it } from 'vitest';
import { endAttempt } from '#src/attempts/endAttempt.ts';
import { requireRun } from '#src/runs/findRun.ts';
import { metricHistory } from '#src/metrics/metricHistory.ts';
import { newMetrics } from '#src/metrics/newMetrics.ts';
import { readLogs } from '#src/logs/readLogs.ts';
import { recordReports } from '#src/attempts/recordReports.ts';
import { releaseRun } from '#src/attempts/releaseRun.ts';
import { listArtifacts } from '#src/artifacts/store/artifactRecord.ts';
import { listDatasets } from '#src/datasets/store/datasetRecord.ts';
import { listSeries } from '#src/metrics/store/metricSeries.ts';
import { listRunTexts } from '#src/runs/store/runTexts.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { aHeldRun, aWorker, checkpoint, claim, point, servicesForTests } from './support.ts';

const postgres = await postgresForTests();
const context = await servicesForTests(postgres.url);
const worker = await aWorker(context);

describe('reports', () => {
  it('keep every kind of value on the way to a reader', async () => {
    const { run, holder } = await aHeldRun(context, worker);
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
    expect(await requireRun(context, run.id)).toMatchObject({ progress: 0.5, progressMessage: 'half' });
    const texts = await listRunTexts(context.db, [run.id]);
    expect(texts).toMatchObject([{ environment: { fingerprint: 'f1', share: null } }]);
    expect(await listDatasets(context.db)).toMatchObject([
      { name: 'generated/markov-small', fingerprint: 'f1', statistics: { users: 3 } },
    ]);
    expect(await listArtifacts(context.db, [run.id])).toMatchObject([{ name: 'checkpoint/latest', step: 12 }]);
  });

  it('keep the statistics of a whole dataset over those of a part, and leave tables out of the run', async () => {
    const { run, holder } = await aHeldRun(context, worker);
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
    const [texts] = await listRunTexts(context.db, [run.id]);
    const { environment } = texts!;
    expect(environment).toMatchObject({ datasetStatistics: { users: 1, filtered: true } });
    expect(environment.datasetStatistics).not.toHaveProperty('lengthHistogram');
  });

  it('change nothing when a batch comes again', async () => {
    const { run, holder } = await aHeldRun(context, worker);
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
    const { run, holder } = await aHeldRun(context, worker);
    await recordReports(context, { ...holder, reports: [point('m', 5, 1), point('m', 5, 2), point('m', 9, 3)] });
    await recordReports(context, { ...holder, reports: [point('m', 7, 100), point('m', 9, 4)] });
    expect(await listSeries(context.db, [run.id])).toMatchObject([
      { pointCount: 3, lastStep: 9, lastValue: 3, minimum: 1, maximum: 100 },
    ]);
  });

  it('of a zombie attempt are refused whole', async () => {
    const { run, holder } = await aHeldRun(context, worker);
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
    const { run, holder } = await aHeldRun(context, worker);
    for (const step of [-1, 0.5, 2 ** 53 + 2, Number.NaN]) {
      const reports = [point('a', 0, 1), point('m', step, 1)];
      await expect(recordReports(context, { ...holder, reports })).rejects.toMatchObject({ code: 'BAD_INPUT' });
    }
    expect(await listSeries(context.db, [run.id])).toEqual([]);
  });

  it('come to a reader flush by flush', async () => {
    const { run, holder } = await aHeldRun(context, worker);
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

  it('of warnings become events, each once, however often they come', async () => {
    const { run, holder } = await aHeldRun(context, worker);
    const reports = [{ type: 'warning', message: 'the data has changed' }] as const;
    await recordReports(context, { ...holder, reports });
    await recordReports(context, { ...holder, reports });
    const events = await context.db.runEvent.findMany({ where: { runId: run.id, type: 'warned' } });
    expect(events.map(({ message, data }) => [message, data])).toEqual([['the data has changed', { attempt: 1 }]]);
  });
});
