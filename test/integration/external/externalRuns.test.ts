import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { connectionsOf } from '#src/base/platform/postgres/database.ts';
import { cancelRuns } from '#src/runs/cancelRuns.ts';
import { createExternalRun, finishExternalRun, forkExternalRun } from '#src/external/externalRuns.ts';
import { logExternalLines, logExternalMetrics, registerArtifact } from '#src/external/logExternal.ts';
import { correctMetrics, defineMetrics } from '#src/metrics/metricDefinitions.ts';
import { metricHistory } from '#src/metrics/metricHistory.ts';
import { readLogs } from '#src/logs/readLogs.ts';
import { retryRuns } from '#src/runs/retryRuns.ts';
import { listMetricDefinitions } from '#src/metrics/store/metricDefinition.ts';
import { listSeries } from '#src/metrics/store/metricSeries.ts';
import { findConfigurations } from '#src/runs/store/configurationRecord.ts';
import { listForks } from '#src/runs/store/runRecord.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { aRun, servicesForTests } from '../services/support.ts';

const postgres = await postgresForTests();
const context = await servicesForTests(postgres.url);
const SHA = 'b'.repeat(64);

describe('external runs', () => {
  it('are created, logged and finished by their program', async () => {
    const run = await createExternalRun(context, {
      project: 'mine',
      name: 'notebook',
      parameters: { lr: 0.1, layers: [1, 2] },
      datasetName: 'private',
      seed: 3,
      tags: ['t'],
    });
    expect(run).toMatchObject({ state: 'RUNNING', attempt: 1, seed: 3, workerId: null });
    const series = [{ name: 'train/loss', steps: [0, 1, 1], values: [1, Number.NaN, 5] }];
    expect(await logExternalMetrics(context, { runId: run.id, series })).toBe(2);
    expect(await logExternalMetrics(context, { runId: run.id, series })).toBe(0);
    const lines = [{ text: 'one' }, { text: 'two', level: 'error', time: 5 } as const];
    expect(await logExternalLines(context, { runId: String(run.number), from: 0, lines })).toBe(2);
    expect(await logExternalLines(context, { runId: run.id, from: 1, lines })).toBe(1);
    const artifact = { name: 'a/b.txt', role: 'output', mediaType: 'text/plain', sha256: SHA, sizeBytes: 3 } as const;
    expect(await registerArtifact(context, { runId: run.id, artifact })).toMatchObject({ name: 'a/b.txt', attempt: 1 });
    const [history] = await metricHistory(context, { runIds: [run.id] });
    expect(history).toMatchObject({ steps: [0, 1], values: [1, Number.NaN] });
    expect((await readLogs(context, { runId: run.id })).lines.map((line) => line.text)).toEqual(['one', 'two', 'two']);
    expect(await finishExternalRun(context, { runId: run.id })).toMatchObject({ state: 'SUCCEEDED' });
    expect(await finishExternalRun(context, { runId: run.id })).toMatchObject({ state: 'SUCCEEDED' });
    await correctMetrics(context, { id: String(run.number), definitions: [{ name: 'reward', goal: 'maximize' }] });
    expect(await listMetricDefinitions(context.db, [run.id])).toMatchObject([{ name: 'reward', goal: 'maximize' }]);
    await expect(logExternalMetrics(context, { runId: run.id, series })).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(finishExternalRun(context, { runId: run.id, state: 'FAILED' })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  it('take one number each, however often their programs ask for them', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    const run = await createExternalRun(context, { project: 'mine', id: first });
    for (let again = 0; again < 3; again++) await createExternalRun(context, { project: 'mine', id: first });
    expect((await createExternalRun(context, { project: 'mine', id: second })).number).toBe(run.number + 1);
  });

  it('that log one right after another are written together, and each point once', async () => {
    const runs = await Promise.all(Array.from({ length: 16 }, () => createExternalRun(context, { project: 'mine' })));
    const logAll = async (step: number) => {
      const calls = runs.map(async ({ id }, index) => {
        // as calls that arrive in different turns of the event loop
        for (let turn = 0; turn < index; turn++) await setImmediate();
        return await logExternalMetrics(context, {
          runId: id,
          series: [{ name: 'loss', steps: [step], values: [index] }],
        });
      });
      return await Promise.all(calls);
    };
    const first = await logAll(0); // makes the series
    let statements = 0;
    const count = () => statements++;
    const connections = connectionsOf(context.db).on('acquire', count);
    expect([first, await logAll(1)]).toEqual(Array.from({ length: 2 }, () => runs.map(() => 1)));
    connections.off('acquire', count);
    expect(statements).toBeLessThan(8);
    expect(await logAll(1)).toEqual(runs.map(() => 0));
  });

  it('branch off from another run after a step, with its points once and its parameters', async () => {
    const parent = await createExternalRun(context, { project: 'forked', parameters: { lr: 0.1, depth: 2 }, seed: 4 });
    const series = [
      { name: 'train/loss', steps: [0, 1, 5, 6], values: [4, Number.NaN, 2, 1] },
      { name: 'late', steps: [9], values: [1] },
      { name: 'system/cpu', steps: [1], values: [50] },
    ];
    await logExternalMetrics(context, { runId: parent.id, series });
    await defineMetrics(context, { runId: parent.id, definitions: [{ name: 'train/*', summary: 'min' }] });
    const id = '5f3c9d0e-8f51-4e6e-9a44-0d1f8e2b7c11';
    const forkFrom = { runId: String(parent.number), step: 5 };
    const input = { id, project: 'forked', parameters: { lr: 0.2 }, forkFrom };
    const fork = await createExternalRun(context, input);
    expect(fork).toMatchObject({ forkedFromId: parent.id, forkStep: 5, state: 'RUNNING' });
    const [configuration] = await findConfigurations(context.db, [fork.configurationHash]);
    expect(configuration?.parameters).toEqual({ lr: 0.2, depth: 2 });
    const more = [{ name: 'train/loss', steps: [5, 6], values: [77, 3] }];
    expect(await logExternalMetrics(context, { runId: id, series: more })).toBe(1);
    expect((await createExternalRun(context, input)).id).toBe(id);
    expect(await listSeries(context.db, [id])).toMatchObject([
      { name: 'train/loss', pointCount: 4, lastStep: 6, lastValue: 3, minimum: 2, maximum: 4 },
    ]);
    const [history] = await metricHistory(context, { runIds: [id] });
    expect(history).toMatchObject({ steps: [0, 1, 5, 6], values: [4, Number.NaN, 2, 3] });
    expect(await listMetricDefinitions(context.db, [id])).toMatchObject([{ name: 'train/*', summary: 'min' }]);
    const second = await forkExternalRun(context, { runId: id, step: 1 });
    expect(second).toMatchObject({ projectId: parent.projectId, forkedFromId: id });
    expect((await listForks(context.db, [parent.id, id])).map((run) => run.id)).toEqual([id, second.id]);
    await expect(createExternalRun(context, { forkFrom: { runId: '0', step: 1 } })).rejects.toThrow(
      'there is no run 0',
    );
  });

  it('fail and are cancelled, and cannot be retried by Warren', async () => {
    const run = await createExternalRun(context, {});
    const failed = await finishExternalRun(context, { runId: run.id, state: 'FAILED', errorMessage: 'oops' });
    expect(failed).toMatchObject({ state: 'FAILED', errorCode: 'RUN_FAILED', errorMessage: 'oops' });
    expect(await retryRuns(context, [run.id])).toMatchObject([
      { done: false, message: expect.stringMatching(/another/) },
    ]);
    const other = await createExternalRun(context, {});
    expect(await cancelRuns(context, [other.id])).toMatchObject([{ done: true, run: { state: 'CANCELLED' } }]);
  });

  it('refuse what cannot be', async () => {
    const run = await createExternalRun(context, {});
    const log = (series: Parameters<typeof logExternalMetrics>[1]['series']) =>
      logExternalMetrics(context, { runId: run.id, series }).catch((error: unknown) => error);
    expect(await log([{ name: 'm', steps: [1, 2], values: [1] }])).toMatchObject({ path: 'series[0].values' });
    expect(await log([{ name: 'm', steps: [1], values: [1], times: [] }])).toMatchObject({ path: 'series[0].times' });
    expect(await log([{ name: '', steps: [1], values: [1] }])).toMatchObject({ code: 'BAD_INPUT' });
    expect(await log([{ name: 'm', steps: [0.5], values: [1] }])).toMatchObject({ code: 'BAD_INPUT' });
    const queued = await aRun(context);
    await expect(logExternalMetrics(context, { runId: queued.id, series: [] })).rejects.toMatchObject({
      message: expect.stringContaining("Warren's workers"),
    });
    await expect(createExternalRun(context, { parameters: [1] })).rejects.toMatchObject({ path: 'parameters' });
  });
});
