import { describe, expect, it } from 'vitest';
import { compareRuns } from '#src/comparisons/compareRuns.ts';
import { createExternalRun } from '#src/external/externalRuns.ts';
import { logExternalMetrics } from '#src/external/logExternal.ts';
import { metricHistory } from '#src/metrics/metricHistory.ts';
import { newMetrics } from '#src/metrics/newMetrics.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { servicesForTests } from '../services/support.ts';

const postgres = await postgresForTests();
const context = await servicesForTests(postgres.url);

async function aRunWith(parameters: object, seed: number, metrics: Record<string, number[]>, datasetName = 'd') {
  const run = await createExternalRun(context, { parameters, seed, datasetName });
  const series = Object.entries(metrics).map(([name, values]) => ({ name, steps: values.map((_, i) => i), values }));
  await logExternalMetrics(context, { runId: run.id, series });
  return run;
}

describe('compareRuns', () => {
  it('aligns configurations, metrics and replicates', async () => {
    const a1 = await aRunWith({ o: { lr: 1 }, same: [1] }, 1, { 'test/mrr': [0.5, 0.25], 'train/loss': [3, 2, 5] });
    const a2 = await aRunWith({ same: [1], o: { lr: 1 } }, 2, { 'test/mrr': [0.5], 'system/cpu': [1] });
    const b = await aRunWith({ o: { lr: 2, extra: null }, same: [1] }, 1, { other: [1, Number.NaN] }, 'e');
    const comparison = await compareRuns(context, [a1.id, String(b.number), a2.id, a1.id]);
    expect(comparison.runs.map((run) => run.id)).toEqual([a1.id, b.id, a2.id]);
    expect(comparison.fields).toEqual([
      { path: 'kind', values: ['external', 'external', 'external'], differs: false },
      { path: 'kindVersion', values: [1, 1, 1], differs: false },
      { path: 'dataset.name', values: ['d', 'e', 'd'], differs: true },
      { path: 'parameters.o.extra', values: [null, null, null], differs: true },
      { path: 'parameters.o.lr', values: [1, 2, 1], differs: true },
      { path: 'parameters.same', values: [[1], [1], [1]], differs: false },
      { path: 'seed', values: [1, 1, 2], differs: true },
    ]);
    const last = { rules: ['last'], chosenOnTest: false };
    expect(comparison.metrics).toEqual([
      { ...last, name: 'other', direction: null, final: [null, Number.NaN, null], best: [null, null, null] },
      { ...last, name: 'system/cpu', direction: null, final: [null, null, 1], best: [null, null, null] },
      { ...last, name: 'test/mrr', direction: 'higher', final: [0.25, null, 0.5], best: [0.5, null, 0.5] },
      { ...last, name: 'train/loss', direction: 'lower', final: [5, null, null], best: [2, null, null] },
    ]);
    const [first, second] = comparison.groups;
    expect(first).toMatchObject({
      configuration: { hash: a1.configurationHash },
      runIds: [a1.id, a2.id],
      seeds: [1, 2],
    });
    // Of 0.25 and 0.5: mean 0.375, deviation 0.125 * sqrt 2.
    expect(first!.metrics).toEqual([
      { name: 'test/mrr', direction: 'higher', mean: 0.375, standardDeviation: Math.sqrt(0.03125), n: 2 },
      { name: 'train/loss', direction: 'lower', mean: 5, standardDeviation: null, n: 1 },
    ]);
    expect(second).toMatchObject({ runIds: [b.id], metrics: [{ name: 'other', mean: Number.NaN, n: 1 }] });
  });

  it('refuses none, too many and unknown runs', async () => {
    await expect(compareRuns(context, [])).rejects.toMatchObject({ code: 'BAD_INPUT', path: 'ids' });
    await expect(
      compareRuns(
        context,
        Array.from({ length: 201 }, () => '1'),
      ),
    ).rejects.toMatchObject({ path: 'ids' });
    await expect(compareRuns(context, ['987654'])).rejects.toMatchObject({ path: 'ids[0]' });
  });
});

describe('metricHistory', () => {
  it('cuts a long series into buckets that keep extremes and the last value', async () => {
    // Two of three values are not finite, and steps begin late and are sparse.
    const values = Array.from({ length: 1_000 }, (_, i) => [i, Number.NaN, Number.POSITIVE_INFINITY][i % 3]!);
    const steps = values.map((_, i) => 1_000_000 + 10 * i);
    const run = await createExternalRun(context, {});
    await logExternalMetrics(context, { runId: run.id, series: [{ name: 'm', steps, values, times: steps }] });
    const [columns] = await metricHistory(context, { runIds: [run.id], maxPoints: 7 });
    const width = Math.floor(9_990 / 7) + 1;
    const expected = Array.from({ length: 7 }, (_, bucket) => {
      const inside = steps.map((_, i) => i).filter((i) => Math.floor((10 * i) / width) === bucket);
      const finite = inside.map((i) => values[i]!).filter(Number.isFinite);
      const last = inside.at(-1)!;
      return { last, minimum: Math.min(...finite), maximum: Math.max(...finite) };
    });
    expect(columns).toEqual({
      runId: run.id,
      name: 'm',
      pointCount: 1_000,
      cursor: 1,
      steps: expected.map(({ last }) => steps[last]),
      values: expected.map(({ last }) => values[last]),
      times: expected.map(({ last }) => steps[last]),
      minimum: expected.map(({ minimum }) => minimum),
      maximum: expected.map(({ maximum }) => maximum),
    });
    const [all] = await metricHistory(context, { runIds: [run.id], maxPoints: 1_000 });
    expect(all).toMatchObject({ steps, values, minimum: null, maximum: null });
  });

  it('holds buckets over the whole range of steps, and those without a finite value', async () => {
    const run = await createExternalRun(context, {});
    const series = [{ name: 'm', steps: [0, 1, 2 ** 53], values: [Number.NaN, Number.NEGATIVE_INFINITY, 3] }];
    await logExternalMetrics(context, { runId: run.id, series });
    expect(await metricHistory(context, { runIds: [run.id], maxPoints: 2 })).toMatchObject([
      {
        steps: [1, 2 ** 53],
        values: [Number.NEGATIVE_INFINITY, 3],
        minimum: [Number.NaN, 3],
        maximum: [Number.NaN, 3],
      },
    ]);
  });

  it('keeps the order of the runs asked for, then of names, and only those names', async () => {
    const a = await aRunWith({}, 1, { x: [1], y: [2], z: [3] });
    const b = await aRunWith({}, 2, { y: [4] });
    const found = await metricHistory(context, { runIds: [b.id, String(a.number)], names: ['y', 'x', 'none'] });
    expect(found.map((one) => [one.runId, one.name, one.values])).toEqual([
      [b.id, 'y', [4]],
      [a.id, 'x', [1]],
      [a.id, 'y', [2]],
    ]);
    expect(await metricHistory(context, { runIds: [] })).toEqual([]);
    await expect(metricHistory(context, { runIds: ['0'] })).rejects.toMatchObject({ path: 'runIds[0]' });
    await expect(metricHistory(context, { runIds: ['1'], maxPoints: 0 })).rejects.toMatchObject({ path: 'maxPoints' });
  });
});

describe('newMetrics', () => {
  it('brings much in pieces, each point once', async () => {
    const run = await createExternalRun(context, {});
    for (let flush = 0; flush < 4; flush++) {
      const steps = Array.from({ length: 4_000 }, (_, i) => 4_000 * flush + i);
      const name = flush === 3 ? 'b' : 'a';
      await logExternalMetrics(context, { runId: run.id, series: [{ name, steps, values: steps }] });
    }
    const first = await newMetrics(context, { runId: run.id, after: 0 });
    expect(first).toMatchObject({ cursor: 2, more: true });
    expect(first.series.map((one) => one.steps.length)).toEqual([8_000]);
    const second = await newMetrics(context, { runId: run.id, after: first.cursor });
    expect(second).toMatchObject({ cursor: 4, more: false });
    expect(second.series.map((one) => one.steps.length)).toEqual([4_000, 4_000]);
    const only = await newMetrics(context, { runId: run.id, after: 2, names: ['a'] });
    expect(only).toMatchObject({ cursor: 4, more: false });
  });
});
