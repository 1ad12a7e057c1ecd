import { describe, expect, it } from 'vitest';
import { createExternalRun } from '#src/external/externalRuns.ts';
import { logExternalMetrics } from '#src/external/logExternal.ts';
import { defineMetrics } from '#src/metrics/metricDefinitions.ts';
import { listRuns } from '#src/runs/listRuns.ts';
import { type RunGroup, type RunGroupsInput, runGroups } from '#src/runs/runGroups.ts';
import { insertManyRuns, type PlainRun } from '../support/manyRuns.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { servicesForTests } from './support.ts';

const postgres = await postgresForTests();
const context = await servicesForTests(postgres.url);

/** Park and Miller's generator: numbers between 0 and 1. */
function* uniform(state: number): Generator<number, never> {
  for (;;) {
    state = (state * 16807) % 2147483647;
    yield state / 2147483647;
  }
}

const random = uniform(20261122);
const draw = (): number => random.next().value;
const METRIC = 'test/ndcg@10';
const METRICS = [{ name: METRIC }];

/** 600 runs of 40 groups, some without a learning rate, some without the metric, around a large offset. */
const drawn: PlainRun[] = Array.from({ length: 600 }, (_, index) => {
  const rate = Math.floor(draw() * 8);
  return {
    kind: 'external',
    datasetName: ['a', 'b', 'c', 'd', null][Math.floor(draw() * 5)]!,
    parameters: { optimizer: rate === 7 ? {} : { learningRate: 2 ** -rate }, width: 64 },
    seed: index,
    tags: rate % 2 === 0 ? ['even', `rate ${rate}`] : [],
    metrics: draw() < 0.1 ? {} : { [METRIC]: 1000 + rate + draw(), 'train/loss': draw() },
  };
});
await insertManyRuns(context.db, drawn, 'drawn');

async function allGroups(input: RunGroupsInput): Promise<RunGroup[]> {
  const groups: RunGroup[] = [];
  for (let after: string | null = null; ; ) {
    const page = await runGroups(context, { ...input, after });
    groups.push(...page.edges.map(({ node }) => node));
    if (!page.pageInfo.hasNextPage) return groups;
    after = page.pageInfo.endCursor;
  }
}

/** The reference: two plain passes. */
function plainStatistics(values: readonly number[]) {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value / n, 0);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return {
    n,
    mean,
    deviation: Math.sqrt(squares / (n - 1)),
    minimum: Math.min(...values),
    maximum: Math.max(...values),
  };
}

/** 97.5 % points of Student's t by tables, for the degrees of freedom that are looked at. */
const TABLE: Readonly<Record<number, number>> = {
  1: 12.7062047364,
  2: 4.30265272991,
  4: 2.7764451052,
  9: 2.26215716279,
};

describe('runGroups', () => {
  it('sums up all matches as a plain computation does, missing values in groups of their own', async () => {
    const groupBy = ['optimizer.learningRate', 'dataset'];
    const groups = await allGroups({ project: 'drawn', groupBy, metrics: METRICS, first: 7 });
    const expected = new Map<string, PlainRun[]>();
    for (const run of drawn) {
      const key = JSON.stringify([Object.values(run.parameters.optimizer ?? {})[0] ?? null, run.datasetName]);
      expected.set(key, [...(expected.get(key) ?? []), run]);
    }
    expect(groups.map(({ values }) => JSON.stringify(values)).sort()).toEqual([...expected.keys()].sort());
    for (const { values, runCount, metrics } of groups) {
      const runs = expected.get(JSON.stringify(values))!;
      const reference = plainStatistics(runs.flatMap((run) => run.metrics[METRIC] ?? []));
      const [found] = metrics;
      expect(runCount).toBe(runs.length);
      expect(found).toMatchObject({ n: reference.n, minimum: reference.minimum, maximum: reference.maximum });
      expect(Math.abs(found!.mean! / reference.mean - 1)).toBeLessThan(1e-12);
      expect(Math.abs(found!.standardDeviation! / reference.deviation - 1)).toBeLessThan(1e-12);
      const error = reference.deviation / Math.sqrt(reference.n);
      expect(Math.abs(found!.standardError! / error - 1)).toBeLessThan(1e-12);
      const quantile = TABLE[reference.n - 1];
      if (quantile !== undefined) expect(found!.high).toBeCloseTo(reference.mean + quantile * error, 8);
    }
    const means = groups.map(({ metrics }) => metrics[0]!.mean!);
    expect(means).toEqual([...means].sort((a, b) => b - a));
    // datasets do not compare: the best of each, and none where runs name no data
    const firsts = ['a', 'b', 'c', 'd'].map((name) => groups.findIndex(({ values }) => values[1] === name));
    expect(groups.flatMap(({ metrics }, index) => (metrics[0]!.isBest ? [index] : []))).toEqual(
      firsts.toSorted((a, b) => a - b),
    );
  });

  it('orders by every aggregate, page by page, and answers the runs of a group', async () => {
    const input = {
      project: 'drawn',
      filter: 'dataset != c',
      groupBy: ['width', 'optimizer.learningRate'],
      metrics: METRICS,
    };
    for (const by of ['n', 'standardDeviation', 'standardError', 'low', 'high', 'minimum', 'maximum'] as const) {
      const groups = await allGroups({ ...input, orderBy: { by, direction: 'ASC' }, first: 3 });
      const values = groups.map(({ metrics }) => metrics[0]![by]!);
      expect(groups).toHaveLength(8);
      expect(values).toEqual([...values].sort((a, b) => a - b));
    }
    const byKey = await allGroups({ ...input, orderBy: { by: 'group', direction: 'ASC' }, first: 5 });
    expect(byKey.map(({ values }) => values[1])).toEqual([null, ...[6, 5, 4, 3, 2, 1, 0].map((rate) => 2 ** -rate)]);
    for (const group of byKey) {
      const { edges } = await listRuns(context, { ...input, group: group.id, first: 500 });
      expect(edges).toHaveLength(group.runCount);
    }
  });

  it('puts a run into the group of each of its tags', async () => {
    const { edges, totalCount } = await runGroups(context, { project: 'drawn', groupBy: ['tag'] });
    expect(totalCount).toBe(6);
    expect(edges[0]!.node).toMatchObject({ values: [null] });
    const even = edges.find(({ node }) => node.values[0] === 'even')!.node;
    expect(even.runCount).toBe(drawn.filter(({ tags }) => tags?.includes('even')).length);
    const runs = await listRuns(context, { project: 'drawn', group: even.id, first: 0 });
    expect(await runs.totalCount()).toBe(even.runCount);
  });

  it('keeps going where values are not finite or beyond all measure', async () => {
    const values = [
      [1, Number.NaN],
      [1, Number.POSITIVE_INFINITY],
      [1e300, -1e300],
      [1e-320, 2e-320],
    ];
    const runs = values.flatMap((pair, width) =>
      pair.map((value, seed) => ({
        kind: 'external',
        datasetName: null,
        parameters: { width },
        seed,
        metrics: { loss: value },
      })),
    );
    await insertManyRuns(context.db, runs, 'odd');
    const groups = await allGroups({ project: 'odd', groupBy: ['width'], metrics: [{ name: 'loss' }] });
    const found = new Map(groups.map(({ values, metrics }) => [values[0], metrics[0]!]));
    expect(found.get(0)).toMatchObject({ n: 2, mean: Number.NaN, minimum: 1, maximum: 1 });
    expect(found.get(1)).toMatchObject({ n: 2, mean: Number.POSITIVE_INFINITY, maximum: Number.POSITIVE_INFINITY });
    expect(found.get(2)).toMatchObject({ n: 2, mean: Number.NaN, minimum: -1e300, maximum: 1e300 });
    expect(found.get(3)).toMatchObject({ n: 2, mean: 1.5e-320 });
    expect(groups.map(({ metrics }) => metrics[0]!.isBest)).toEqual([true, false, false, false]);
  });

  it('tests groups against a baseline over their seeds, and says how many are still needed', async () => {
    // Against the first: p = 8.647558872441121e-5 and 0.24116641435267064 by scipy 1.17; at Holm's level, 0.05 for the greater, 17 pairs.
    const values = [[0.5, 0.52, 0.51, 0.49], [0.56, 0.575, 0.57, 0.555], [0.51, 0.56, 0.505, 0.5], [0.7]];
    const runs = values.flatMap((seeds, width) =>
      seeds.map((value, seed) => ({
        kind: 'external',
        datasetName: null,
        parameters: { width },
        seed,
        metrics: { [METRIC]: value },
      })),
    );
    const failed = { ...runs[0]!, seed: 9, state: 'FAILED' as const, metrics: { [METRIC]: 0 } };
    await insertManyRuns(context.db, [...runs, failed], 'tested');
    const input = { project: 'tested', groupBy: ['configuration'], metrics: METRICS, orderBy: { by: 'n' as const } };
    const { edges } = await runGroups(context, input);
    const first = edges.find(({ node }) => node.metrics[0]!.minimum === 0)!.node;
    const page = await runGroups(context, { ...input, orderBy: null, baseline: first.id });
    expect(page.baselineId).toBe(first.id);
    const tests = page.edges.map(({ node }) => [node.isBaseline, node.metrics[0]!.test] as const);
    expect(tests).toMatchObject([
      [false, { verdict: null, test: null, reason: expect.stringMatching(/needs two seeds of each/) }],
      [false, { verdict: 'better', n: 4, seedsNeeded: 0 }],
      [false, { verdict: 'undecided', n: 4 }],
      [true, null],
    ]);
    const [, better, undecided] = tests.map(([, test]) => test!);
    expect(better!.pHolm).toBeCloseTo(2 * 8.647558872441121e-5, 12);
    expect(undecided!.seedsNeeded).toBe(13);
    const byRun = await runGroups(context, { ...input, orderBy: null, first: 0, baseline: '1' }).catch(String);
    expect(byRun).toMatch(/run 1 is not among the runs/);
  });

  it('takes the test at the best validation', async () => {
    const series = (name: string, points: [step: number, value: number][]) => ({
      name,
      steps: points.map(([step]) => step),
      values: points.map(([, value]) => value),
    });
    const curves = [
      {
        valid: [
          [1, 0.1],
          [2, 0.4],
          [3, 0.4],
          [4, 0.2],
        ],
        test: [
          [1, 0.5],
          [2, 0.3],
          [3, 0.9],
          [4, 0.8],
        ],
      },
      {
        valid: [
          [1, 0.1],
          [2, 0.4],
        ],
        test: [[1, 0.7]],
      },
    ] as const;
    for (const [seed, { valid, test }] of curves.entries()) {
      const run = await createExternalRun(context, { project: 'curves', seed, parameters: { width: 1 } });
      const both = [
        series('valid/mrr', [...valid] as [number, number][]),
        series('test/mrr', [...test] as [number, number][]),
      ];
      await logExternalMetrics(context, { runId: run.id, series: both });
    }
    const metrics = [
      { name: 'test/mrr', bestOf: 'valid/mrr' },
      { name: 'test/mrr', at: 'BEST' as const },
      { name: 'test/mrr' },
    ];
    const { edges } = await runGroups(context, { project: 'curves', groupBy: ['configuration'], metrics });
    expect(edges.map(({ node }) => node.metrics.map(({ n, maximum }) => ({ n, maximum })))).toEqual([
      [
        { n: 1, maximum: 0.3 },
        { n: 2, maximum: 0.9 },
        { n: 2, maximum: 0.8 },
      ],
    ]);
  });

  it('goes by what the programs said of their metrics', async () => {
    for (const value of [2, 1]) {
      const parameters = { width: value };
      const { id: runId } = await createExternalRun(context, { project: 'declared', parameters });
      await defineMetrics(context, { runId, definitions: [{ name: 'own/*', goal: 'minimize' }] });
      await logExternalMetrics(context, { runId, series: [{ name: 'own/number', steps: [1, 2], values: [value, 3] }] });
    }
    const metrics = [{ name: 'own/number', at: 'BEST' as const }];
    const { edges } = await runGroups(context, { project: 'declared', groupBy: ['width'], metrics });
    expect(edges.map(({ node }) => [node.metrics[0]!.mean, node.metrics[0]!.isBest])).toEqual([
      [1, true],
      [2, false],
    ]);
  });

  it('tells by which rules values stand for a metric', async () => {
    for (const summary of ['max', 'best', null] as const) {
      const { id: runId } = await createExternalRun(context, { project: 'ruled' });
      if (summary !== null) {
        const definitions = [{ name: 'own/accuracy', summary, goal: 'maximize' as const }];
        await defineMetrics(context, { runId, definitions: [...definitions, { name: 'own/loss', summary: 'mean' }] });
      }
      const steps = { steps: [1, 2], values: [5, 3] };
      await logExternalMetrics(context, { runId, series: [{ name: 'own/accuracy', ...steps }] });
    }
    const asked = [{ name: 'own/accuracy' }, { name: 'own/loss' }, { name: 'own/accuracy', at: 'BEST' as const }];
    const { metrics, edges } = await runGroups(context, { project: 'ruled', groupBy: ['project'], metrics: asked });
    expect(metrics.map(({ summaryRules }) => summaryRules)).toEqual([['max'], ['mean'], []]);
    expect(edges[0]!.node.metrics[0]!.mean).toBeCloseTo((5 + 5 + 3) / 3, 12);
  });

  it('says what is wrong, and what would be right', async () => {
    const refused = (input: Partial<RunGroupsInput>) =>
      expect(runGroups(context, { project: 'drawn', groupBy: ['dataset'], ...input })).rejects;
    await refused({ groupBy: ['learningRat'] }).toThrow(
      /no run has a parameter "learningRat". Did you mean "optimizer.learningRate"/,
    );
    await refused({ groupBy: ['metric.loss'] }).toThrow(/cannot be grouped by metric.loss; expected kind/);
    await refused({ groupBy: ['dataset', 'dataset'] }).toThrow(/dataset is given twice/);
    await refused({ metrics: [{ name: 'x', at: 'BEST' }] }).toThrow(/nobody told whether "x"/);
    await refused({ orderBy: { by: 'mean' } }).toThrow(/there is no metric 0/);
    await refused({ after: 'x' }).toThrow(/not a cursor/);
    await refused({ baseline: '999999' }).toThrow(/there is no run 999999/);
    await refused({ baseline: 'g_x' }).toThrow(/not a group/);
    for (const k of ['["\\u0000"]', '["\\ud800"]', '[1e999999]', `[${'['.repeat(9_999)}${']'.repeat(9_999)}]`]) {
      const forged = (values: object) => Buffer.from(JSON.stringify({ ...values, k })).toString('base64url');
      await refused({ baseline: `g_${forged({ f: ['seed'] })}` }).toThrow(/is not a group/);
      await refused({ after: forged({ o: '', p: null }) }).toThrow(/is not a cursor/);
    }
  });
});
