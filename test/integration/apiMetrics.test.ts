import { describe, expect, test } from 'vitest';
import { apiForTests, jsonOf } from './support/apiForTests.ts';
import { createExternalRun, LOG_METRICS } from './support/externalRunCalls.ts';

const api = await apiForTests();
const { ok, graphql } = api;

describe('metric history', () => {
  test('non-finite values, the smallest and greatest floats and steps up to 2^53 come back as they went in', async () => {
    const runId = await createExternalRun(api);
    const steps = [0, 1, 2, 3, 4, 5, 2 ** 53 - 1, 2 ** 53];
    const values = ['NaN', 'Infinity', '-Infinity', 5e-324, 1.7976931348623157e308, 0.1, -0.1, 1];
    const times = steps.map((_, index) => 1_700_000_000_000 + index);
    expect((await ok(LOG_METRICS, { runId, series: [{ name: 'odd/values', steps, values, times }] })).logMetrics).toBe(
      8,
    );
    const { metricHistory } = await ok(
      `query ($ids: [ID!]!) { metricHistory(runIds: $ids) { runId name steps values times minimum maximum pointCount cursor } }`,
      { ids: [runId] },
    );
    expect(metricHistory).toEqual([
      { runId, name: 'odd/values', steps, values, times, minimum: null, maximum: null, pointCount: 8, cursor: 1 },
    ]);
  });

  test('a long series comes in buckets, with the extremes in each', async () => {
    const runId = await createExternalRun(api);
    const steps = Array.from({ length: 10_000 }, (_, step) => step);
    const values = steps.map((step) => (step % 100 === 50 ? 1_000 + step : step % 7));
    await ok(LOG_METRICS, { runId, series: [{ name: 'long', steps, values }] });
    const { metricHistory } = await ok(
      'query ($ids: [ID!]!) { metricHistory(runIds: $ids, names: ["long"], maxPoints: 100) { steps values minimum maximum pointCount } }',
      { ids: [runId] },
    );
    const [series] = metricHistory;
    expect(series.pointCount).toBe(10_000);
    expect(series.steps).toEqual(Array.from({ length: 100 }, (_, bucket) => 100 * bucket + 99));
    expect(series.values).toEqual(series.steps.map((step: number) => step % 7));
    expect(series.maximum).toEqual(Array.from({ length: 100 }, (_, bucket) => 1_050 + 100 * bucket));
    expect(Math.max(...series.minimum)).toBe(0);
  });

  test('a part of a series is finer than the whole, and what cannot be a part is refused', async () => {
    const runId = await createExternalRun(api);
    const steps = Array.from({ length: 5_000 }, (_, step) => step);
    await ok(LOG_METRICS, { runId, series: [{ name: 'long', steps, values: steps.map((step) => step % 11) }] });
    await ok(LOG_METRICS, { runId, series: [{ name: 'once', steps: [1], values: [1] }] });
    const query =
      'query ($ids: [ID!]!, $most: Int!, $from: Step, $to: Step) { metricHistory(runIds: $ids, names: ["long"], maxPoints: $most, fromStep: $from, toStep: $to) { steps values minimum maximum } }';
    const part = (from: number | null, to: number | null, most: number) => ok(query, { ids: [runId], from, to, most });
    const [exact] = (await part(1_000, 1_099, 100)).metricHistory;
    expect(exact.steps).toEqual(Array.from({ length: 100 }, (_, index) => 1_000 + index));
    expect(exact.values).toEqual(exact.steps.map((step: number) => step % 11));
    const [coarse] = (await part(null, 999, 50)).metricHistory;
    expect(coarse.steps).toEqual(Array.from({ length: 50 }, (_, bucket) => 20 * bucket + 19));
    expect([Math.min(...coarse.minimum), Math.max(...coarse.maximum)]).toEqual([0, 10]);
    expect((await part(9_000, null, 50)).metricHistory).toEqual([]);
    const { errors } = await graphql(query, { ids: [runId], from: 5, to: 4, most: 50 });
    expect(errors?.[0]?.message).toBe('toStep: expected at least fromStep, which is 5, received 4');
    const names = await ok(
      'query ($ids: [ID!]!) { curveNames(runIds: $ids) { name runCount } all: curveNames(runIds: $ids, withSingle: true) { name runCount } }',
      { ids: [runId] },
    );
    expect(names.curveNames).toEqual([{ name: 'long', runCount: 1 }]);
    expect(names.all).toEqual([...names.curveNames, { name: 'once', runCount: 0 }]);
  });

  test('the x axis of other metrics is known as one', async () => {
    const steps = [0, 1, 2, 3, 4, 5];
    const series = [
      { name: 'frames', steps, values: steps.map((step) => 64 * step) },
      { name: 'reward', steps, values: steps },
    ];
    const runId = await createExternalRun(api);
    await ok(LOG_METRICS, { runId, series });
    const asked = 'query ($ids: [ID!]!) { curveNames(runIds: $ids) { name isAxis } }';
    expect((await ok(asked, { ids: [runId] })).curveNames).toEqual([
      { name: 'frames', isAxis: false },
      { name: 'reward', isAxis: false },
    ]);
    const define = `mutation ($runId: ID!) { defineMetrics(runId: $runId, definitions: [{ name: "reward", stepMetric: "frames" }]) }`;
    await ok(define, { runId });
    expect((await ok(asked, { ids: [runId] })).curveNames[0]).toEqual({ name: 'frames', isAxis: true });
  });

  test('which parameter matters to a metric is known of any eight runs', async () => {
    const ask = async (ids: string[]) =>
      (
        await ok('query ($ids: [ID!]!) { runImportance(runIds: $ids, metric: "score") { path importance trials } }', {
          ids,
        })
      ).runImportance;
    const ids = await Promise.all(
      Array.from({ length: 16 }, async (_, index) => {
        const parameters = {
          depth: index % 4,
          name: index % 2 === 0 ? 'even' : 'odd',
          same: 1,
          layers: { width: index >> 2 },
        };
        const id = await createExternalRun(api, { parameters });
        const values = [index === 15 ? 'NaN' : 10 * (index >> 2) + (index % 4)];
        await ok(LOG_METRICS, { runId: id, series: [{ name: 'score', steps: [0], values }] });
        return id;
      }),
    );
    const found = await ask(ids);
    expect(found.map(({ path }: { path: string }) => path).sort()).toEqual(['depth', 'layers.width', 'name']);
    expect(found[0]).toMatchObject({ path: 'layers.width', trials: 15 });
    expect(found[0].importance).toBeGreaterThan(0.8);
    expect(await ask(ids.slice(0, 7))).toEqual([]);
  });

  test('the usual document of logMetrics and any other that asks for it are answered alike', async () => {
    const runId = await createExternalRun(api);
    const input = '($id: ID!, $points: [MetricPointsInput!]!)';
    const field = 'logMetrics(runId: $id, series: $points)';
    const documents = [
      `mutation Log${input} { ${field} }`,
      `mutation${input} { new: ${field} }`,
      `mutation${input} { ...all } fragment all on Mutation { ${field} }`,
      `mutation($id: ID!, $points: [MetricPointsInput!] = []) { ${field} }`,
    ];
    for (const [index, document] of documents.entries()) {
      const series = (name: string) => [{ name, steps: [index, 9], values: ['NaN', 1], times: null }];
      const key = index === 1 ? 'new' : 'logMetrics';
      expect(await ok(document, { id: runId, points: series('x') })).toEqual({ [key]: index === 0 ? 2 : 1 });
      const wrong = await graphql(document, { id: runId, points: [{ ...series('x')[0], more: 1 }] });
      expect(wrong.errors[0]?.extensions.code).toBe('BAD_INPUT');
      const unknown = await graphql(document, { id: runId.replace(/^.{8}/, '00000000'), points: series('x') });
      expect(unknown.errors[0]).toMatchObject({ path: [key], extensions: { code: 'NOT_FOUND', path: 'runId' } });
    }
  });

  test.each([
    [{ name: 'x', steps: [-1], values: [0] }, 'series[0].steps[0]'],
    [{ name: 'x', steps: [2 ** 53 + 2], values: [0] }, 'series[0].steps[0]'],
    [{ name: 'x', steps: [0.5], values: [0] }, 'series[0].steps[0]'],
    [{ name: 'x', steps: [0], values: ['nan'] }, 'series[0].values[0]'],
    [{ name: 'x', steps: [0], values: [null] }, 'series[0].values[0]'],
    [{ name: 'x', steps: [0, 1], values: [0] }, 'series[0].values'],
    [{ name: '', steps: [0], values: [0] }, undefined],
  ])('points %j are refused', async (points, path) => {
    const runId = await createExternalRun(api);
    const { errors } = await graphql(LOG_METRICS, { runId, series: [points] });
    expect(errors[0]?.extensions.code).toBe('BAD_INPUT');
    if (path !== undefined) expect(errors[0]?.extensions.path).toBe(path);
  });
});

test('comparing runs shows what differs, final and best values, and replicates with their spread', async () => {
  const ids: string[] = [];
  for (const [seed, lr, loss, score] of [
    [1, 0.1, [3, 1], 0.2],
    [2, 0.1, [2, 4], 0.4],
    [1, 0.5, [5], 0.9],
  ] as const) {
    const runId = await createExternalRun(api, { parameters: { lr, layers: 2 }, datasetName: 'd', seed });
    ids.push(runId);
    const steps = loss.map((_, step) => step);
    const series = [{ name: 'train/loss', steps, values: loss }];
    await ok(LOG_METRICS, { runId, series: [...series, { name: 'test/ndcg@10', steps: [0], values: [score] }] });
  }
  const { compareRuns } = await ok(
    `query ($ids: [ID!]!) { compareRuns(ids: $ids) { runs { id } fields { path values differs }
      metrics { name direction final best }
      groups { configuration { parameters } runIds seeds metrics { name direction mean standardDeviation n } } } }`,
    { ids },
  );
  expect(compareRuns.runs.map((run: { id: string }) => run.id)).toEqual(ids);
  expect(compareRuns.fields).toContainEqual({ path: 'parameters.lr', values: [0.1, 0.1, 0.5], differs: true });
  expect(compareRuns.fields).toContainEqual({ path: 'parameters.layers', values: [2, 2, 2], differs: false });
  expect(compareRuns.metrics).toEqual([
    { name: 'test/ndcg@10', direction: 'higher', final: [0.2, 0.4, 0.9], best: [0.2, 0.4, 0.9] },
    { name: 'train/loss', direction: 'lower', final: [1, 4, 5], best: [1, 2, 5] },
  ]);
  const [replicates, single] = compareRuns.groups;
  expect(replicates).toMatchObject({ runIds: ids.slice(0, 2), seeds: [1, 2] });
  // mean 0.3; sample standard deviation of 0.2 and 0.4 is 0.2 / sqrt 2
  expect(replicates.metrics[0].mean).toBeCloseTo(0.3, 12);
  expect(replicates.metrics[0].standardDeviation).toBeCloseTo(0.2 / Math.SQRT2, 12);
  expect(single.metrics[0]).toMatchObject({ mean: 0.9, standardDeviation: null, n: 1 });
});

describe('export', () => {
  test('has every point, streamed as JSON lines or CSV', async () => {
    const runId = await createExternalRun(api, { project: 'exported', name: 'e' });
    await ok(LOG_METRICS, { runId, series: [{ name: 'a', steps: [1, 2], values: ['NaN', 2] }] });
    const lines = (await (await api.fetch('/export?project=exported')).text()).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { id: runId, name: 'e', metrics: { a: { steps: [1, 2], values: ['NaN', 2] } } },
    ]);
    const csv = await api.fetch('/export?project=exported&format=csv');
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect((await csv.text()).trim().split('\n')).toHaveLength(3);
  });

  test.each([
    ['/export?format=xml', 400, 'format'],
    ['/export?filter=seed%20%3E%3E', 400, 'filter'],
    ['/export?project=none', 404, 'project'],
  ])('%s is refused', async (path, status, at) => {
    const response = await api.fetch(path);
    expect(response.status).toBe(status);
    expect((await jsonOf(response)).errors[0].extensions.path).toBe(at);
  });
});
