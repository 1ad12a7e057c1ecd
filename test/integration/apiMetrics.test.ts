import { afterAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/platform/database.ts';
import { encodeNpy } from '../../workers/data/npyFile.ts';
import { apiForTests, jsonOf } from './support/apiForTests.ts';

const api = await apiForTests({ seriesPerRun: 50 });
const { ok, graphql } = api;
const db = openDatabase(api.postgres.url);
afterAll(() => db.$disconnect());

const LOG = 'mutation ($runId: ID!, $series: [MetricPointsInput!]!) { logMetrics(runId: $runId, series: $series) }';

async function createRun(input: Record<string, unknown> = {}): Promise<string> {
  return (await ok('mutation ($input: CreateRunInput!) { createRun(input: $input) { id } }', { input })).createRun.id;
}

describe('runs of other programs', () => {
  test('are created, logged to and finished; a repeated call changes nothing', async () => {
    const { createRun: run } = await ok(
      `mutation ($input: CreateRunInput!) { createRun(input: $input) { id state seed tags attempt
        configuration { kind datasetName parameters } } }`,
      {
        input: { name: 'mine', parameters: { lr: 0.1, layers: [1, 2] }, datasetName: 'my-data', seed: 4, tags: ['t'] },
      },
    );
    expect(run).toMatchObject({
      ...{ state: 'RUNNING', seed: 4, tags: ['t'], attempt: 1 },
      configuration: { kind: 'external', datasetName: 'my-data', parameters: { lr: 0.1, layers: [1, 2] } },
    });
    const series = [{ name: 'train/loss', steps: [1, 2], values: [0.5, 0.25] }];
    expect((await ok(LOG, { runId: run.id, series })).logMetrics).toBe(2);
    expect((await ok(LOG, { runId: run.id, series })).logMetrics).toBe(0);
    const lines = [{ text: 'one' }, { text: 'two', level: 'error', time: 1_000 }];
    const logLines =
      'mutation ($runId: ID!, $lines: [LogLineInput!]!) { logLines(runId: $runId, from: 0, lines: $lines) }';
    expect((await ok(logLines, { runId: run.id, lines })).logLines).toBe(2);
    expect((await ok(logLines, { runId: run.id, lines })).logLines).toBe(0);
    const { logs } = await ok(
      'query ($id: ID!) { logs(runId: $id) { hasMore cursor lines { attempt line level text time } } }',
      {
        id: run.id,
      },
    );
    expect(logs).toMatchObject({
      hasMore: false,
      lines: [
        { line: 0, level: 'info', text: 'one' },
        { line: 1, level: 'error', text: 'two', time: '1970-01-01T00:00:01.000Z' },
      ],
    });
    const { finishRun } = await ok('mutation ($id: ID!) { finishRun(runId: $id) { state endedAt } }', { id: run.id });
    expect(finishRun.state).toBe('SUCCEEDED');
    const late = await graphql(LOG, { runId: run.id, series });
    expect(late.errors[0]?.extensions).toMatchObject({ code: 'CONFLICT', path: 'runId' });
  });

  test('may fail, with their own message', async () => {
    const id = await createRun();
    const { finishRun } = await ok(
      'mutation ($id: ID!) { finishRun(runId: $id, state: FAILED, errorMessage: "out of luck") { state error { code message stack } } }',
      { id },
    );
    expect(finishRun).toEqual({ state: 'FAILED', error: { code: 'RUN_FAILED', message: 'out of luck', stack: null } });
  });

  test('a log is read on from where it was left', async () => {
    const id = await createRun();
    const lines = Array.from({ length: 25 }, (_, index) => ({ text: `line ${index}` }));
    await ok('mutation ($id: ID!, $lines: [LogLineInput!]!) { logLines(runId: $id, from: 0, lines: $lines) }', {
      id,
      lines,
    });
    const texts: string[] = [];
    let after: string | null = null;
    for (let more = true; more; ) {
      const { logs } = await ok(
        'query ($id: ID!, $after: String) { logs(runId: $id, after: $after, first: 10) { cursor hasMore lines { text } } }',
        { id, after },
      );
      texts.push(...logs.lines.map((line: { text: string }) => line.text));
      after = logs.cursor;
      more = logs.hasMore;
    }
    expect(texts).toEqual(lines.map((line) => line.text));
  });
});

describe('dates that nobody can read', () => {
  const LINES = 'mutation ($id: ID!, $lines: [LogLineInput!]!) { logLines(runId: $id, from: 0, lines: $lines) }';
  const YEAR_10000 = Date.UTC(10_000, 0, 1);

  test('are refused from callers', async () => {
    const id = await createRun();
    const line = await graphql(LINES, { id, lines: [{ text: 'x', time: YEAR_10000 }] });
    expect(line.errors[0]?.extensions.code).toBe('BAD_INPUT');
    const series = [{ name: 'm', steps: [0], values: [1], times: [YEAR_10000] }];
    expect((await graphql(LOG, { runId: id, series })).errors[0]?.extensions.code).toBe('BAD_INPUT');
    const token = 'mutation ($t: DateTime) { issueToken(name: "late", role: READ, expiresAt: $t) { token } }';
    const expiry = await graphql(token, { t: '9999-12-31T23:59:59-10:00' });
    expect(expiry.errors[0]?.extensions.code).toBe('BAD_INPUT');
    await ok(LINES, { id, lines: [{ text: 'x', time: YEAR_10000 - 1 }] });
    const { logs } = await ok('query ($id: ID!) { logs(runId: $id) { lines { time } } }', { id });
    expect(logs.lines).toEqual([{ time: '9999-12-31T23:59:59.999Z' }]);
  });

  test('that are in the database cost nobody the page', async () => {
    const id = await createRun();
    await ok(LINES, { id, lines: [{ text: 'before' }, { text: 'after' }] });
    await db.$executeRaw`UPDATE log_line SET time = '10000-01-01' WHERE run_id = ${id}::uuid AND line = 1`;
    const { logs } = await ok('query ($id: ID!) { logs(runId: $id) { lines { text time } } }', { id });
    expect(logs.lines).toMatchObject([{ text: 'before' }, { text: 'after', time: '9999-12-31T23:59:59.999Z' }]);
  });
});

test('a page of long lines ends early, and says that it has more', async () => {
  const id = await createRun();
  const lines = Array.from({ length: 30 }, (_, index) => ({ text: `${index} `.padEnd(100_000, 'x') }));
  await ok('mutation ($id: ID!, $lines: [LogLineInput!]!) { logLines(runId: $id, from: 0, lines: $lines) }', {
    id,
    lines,
  });
  const numbers: number[] = [];
  let pages = 0;
  let after: string | null = null;
  for (let more = true; more; pages++) {
    const { logs } = await ok(
      'query ($id: ID!, $after: String) { logs(runId: $id, after: $after) { cursor hasMore lines { line text } } }',
      { id, after },
    );
    expect(JSON.stringify(logs).length).toBeLessThan(1.1 * 1024 ** 2);
    numbers.push(...logs.lines.map(({ line }: { line: number }) => line));
    ({ cursor: after, hasMore: more } = logs);
  }
  expect(numbers).toEqual(lines.map((_, index) => index));
  expect(pages).toBe(3);
});

test('what a program says of its failure is kept, but not all of it when it is very long', async () => {
  const id = await createRun();
  const errorMessage = `first words ${'x'.repeat(500_000)} last words`;
  const { finishRun } = await ok(
    `mutation ($id: ID!, $m: String) { finishRun(runId: $id, state: FAILED, errorMessage: $m) {
      error { message } attempts { errorMessage } events { message } } }`,
    { id, m: errorMessage },
  );
  expect(finishRun.error.message).toMatch(/^first words x+ … \d+ characters left out … x+ last words$/);
  expect(JSON.stringify(finishRun).length).toBeLessThan(20_000);
});

test('a run has no more metrics than may be kept, and says how many that are', async () => {
  const runId = await createRun();
  const named = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({ name: `m${from + index}`, steps: [0], values: [1] }));
  await ok(LOG, { runId, series: named(0, 40) });
  const { errors } = await graphql(LOG, { runId, series: named(40, 11) });
  expect(errors[0]).toMatchObject({ extensions: { code: 'BAD_INPUT', path: 'series' } });
  expect(errors[0]?.message).toMatch(/would have 51 metrics; at most 50 are kept.*WARREN_MAX_SERIES/);
  expect((await ok(LOG, { runId, series: named(40, 10) })).logMetrics).toBe(10);
});

test('the events of a run come in pages', async () => {
  const id = await createRun();
  for (let index = 0; index < 5; index++) {
    await ok('mutation ($input: UpdateRunInput!) { updateRun(input: $input) { id } }', {
      input: { id, name: `n${index}` },
    });
  }
  const query = 'query ($id: ID!, $after: ID) { run(id: $id) { events(first: 4, after: $after) { id type } } }';
  const first = (await ok(query, { id })).run.events;
  const rest = (await ok(query, { id, after: first[3].id })).run.events;
  expect([...first, ...rest].map(({ type }: { type: string }) => type)).toEqual([
    'started',
    ...Array(5).fill('edited'),
  ]);
});

describe('metric history', () => {
  test('non-finite values, the smallest and greatest floats and steps up to 2^53 come back as they went in', async () => {
    const runId = await createRun();
    const steps = [0, 1, 2, 3, 4, 5, 2 ** 53 - 1, 2 ** 53];
    const values = ['NaN', 'Infinity', '-Infinity', 5e-324, 1.7976931348623157e308, 0.1, -0.1, 1];
    const times = steps.map((_, index) => 1_700_000_000_000 + index);
    expect((await ok(LOG, { runId, series: [{ name: 'odd/values', steps, values, times }] })).logMetrics).toBe(8);
    const { metricHistory } = await ok(
      `query ($ids: [ID!]!) { metricHistory(runIds: $ids) { runId name steps values times minimum maximum pointCount cursor } }`,
      { ids: [runId] },
    );
    expect(metricHistory).toEqual([
      { runId, name: 'odd/values', steps, values, times, minimum: null, maximum: null, pointCount: 8, cursor: 1 },
    ]);
  });

  test('a long series comes in buckets, with the extremes in each', async () => {
    const runId = await createRun();
    const steps = Array.from({ length: 10_000 }, (_, step) => step);
    const values = steps.map((step) => (step % 100 === 50 ? 1_000 + step : step % 7));
    await ok(LOG, { runId, series: [{ name: 'long', steps, values }] });
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

  test.each([
    [{ name: 'x', steps: [-1], values: [0] }, 'series[0].steps[0]'],
    [{ name: 'x', steps: [2 ** 53 + 2], values: [0] }, 'series[0].steps[0]'],
    [{ name: 'x', steps: [0.5], values: [0] }, 'series[0].steps[0]'],
    [{ name: 'x', steps: [0], values: ['nan'] }, 'series[0].values[0]'],
    [{ name: 'x', steps: [0], values: [null] }, 'series[0].values[0]'],
    [{ name: 'x', steps: [0, 1], values: [0] }, 'series[0].values'],
    [{ name: '', steps: [0], values: [0] }, undefined],
  ])('points %j are refused', async (points, path) => {
    const runId = await createRun();
    const { errors } = await graphql(LOG, { runId, series: [points] });
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
    const runId = await createRun({ parameters: { lr, layers: 2 }, datasetName: 'd', seed });
    ids.push(runId);
    const steps = loss.map((_, step) => step);
    const series = [{ name: 'train/loss', steps, values: loss }];
    await ok(LOG, { runId, series: [...series, { name: 'test/ndcg@10', steps: [0], values: [score] }] });
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

describe('is one configuration better than another', () => {
  const USERS = Array.from({ length: 40 }, (_, user) => `u${user}`);
  const TESTS = `query ($ids: [ID!]!, $metrics: [String!], $baseline: ID, $perUser: Boolean) { compareRuns(ids: $ids) {
    groups { configuration { hash } } pairedTests(metrics: $metrics, baseline: $baseline, perUser: $perUser) {
      name direction baselineHash tests { configurationHash mean baselineMean n seeds differences pHolm wilcoxonHolm reason
        test { method difference low high t df p pBetter wilcoxon { w n exact p pBetter } } } } } }`;

  /** A finished run whose program left the rank of each user's item. */
  async function ranked(
    lr: number,
    seed: number,
    { ranks, fingerprint = 'f' }: { ranks: number[]; fingerprint?: string },
  ) {
    const runId = await createRun({ parameters: { lr, of: 'tests' }, datasetName: 'd', seed });
    const hits = ranks.filter((rank) => rank >= 1 && rank <= 10).length;
    const series = [{ name: 'test/hr@10', steps: [0], values: [hits / ranks.length] }];
    await ok(LOG, { runId, series: [...series, { name: 'time/total', steps: [0], values: [lr * seed * seed] }] });
    const description = { dataset: 'd', fingerprint, part: 'test', cutoffs: [10], users: USERS };
    for (const [name, body] of [
      ['per-user-ranks.npy', Buffer.from(encodeNpy(Int32Array.from(ranks), [ranks.length, 1]))],
      ['per-user-ranks.json', JSON.stringify(description)],
    ] as const) {
      expect((await api.fetch(`/artifacts/${runId}/${name}`, { method: 'PUT', body })).status).toBe(201);
    }
    await ok('mutation ($id: ID!) { finishRun(runId: $id) { id } }', { id: runId });
    return runId;
  }
  /** Ranks of 40 users, of whom the first `hits` are hit. */
  const withHits = (hits: number) => ({ ranks: USERS.map((_, user) => (user < hits ? 1 + (user % 10) : 0)) });
  const tests = async (variables: Record<string, unknown>) => (await ok(TESTS, variables)).compareRuns.pairedTests;

  test('over shared seeds, by paired t-test and signed ranks, in the direction of the metric', async () => {
    const worse = [await ranked(1, 1, withHits(10)), await ranked(1, 2, withHits(12)), await ranked(1, 3, withHits(8))];
    const better = [
      await ranked(2, 1, withHits(14)),
      await ranked(2, 2, withHits(14)),
      await ranked(2, 4, withHits(20)),
    ];
    const other = [await ranked(3, 8, withHits(10)), await ranked(3, 9, withHits(14))];
    const [hr, time] = await tests({ ids: [...worse, ...better, ...other], metrics: ['test/hr@10', 'time/total'] });
    expect(hr).toMatchObject({ name: 'test/hr@10', direction: 'higher' });
    // differences 0.1 and 0.05: mean 0.075, standard error 0.025, so t = 3 with one degree of freedom: p = 2 atan(1/3) / pi
    const [paired, welch] = hr.tests;
    expect(paired).toMatchObject({ n: 2, seeds: [1, 2], reason: null, test: { method: 'paired', df: 1 } });
    expect(paired.differences[0]).toBeCloseTo(0.1, 12);
    expect(paired.test.t).toBeCloseTo(3, 10);
    expect(paired.test.p).toBeCloseTo((2 * Math.atan(1 / 3)) / Math.PI, 10);
    expect(paired.test.pBetter).toBeCloseTo(Math.atan(1 / 3) / Math.PI, 10);
    expect(paired.test.high).toBeCloseTo(0.075 + 0.025 * Math.tan(0.475 * Math.PI), 8);
    expect(paired.test.wilcoxon).toEqual({ w: 0, n: 2, exact: true, p: 0.5, pBetter: 0.25 });
    // 10 and 14 of 40 against 10, 12 and 8: standard errors 0.05 and 0.05 / sqrt 3
    expect(welch).toMatchObject({ n: 2, seeds: [8, 9], test: { method: 'welch', wilcoxon: null }, differences: [] });
    expect(welch.test.t).toBeCloseTo(0.05 / Math.sqrt(0.05 ** 2 + 0.05 ** 2 / 3), 10);
    expect(welch.reason).toMatch(/fewer than two seeds are shared: it has seeds 8, 9; the baseline has seeds 1, 2, 3/);
    expect(paired.pHolm).toBeCloseTo(2 * paired.test.p, 10);
    expect(welch.pHolm).toBeCloseTo(Math.max(2 * paired.test.p, welch.test.p), 10);
    expect(time.tests[0].test.pBetter).toBeGreaterThan(0.5);
    const [turned] = await tests({ ids: [...worse, ...better], metrics: ['test/hr@10'], baseline: better[2] });
    expect(turned.tests[0].test.t).toBeCloseTo(-3, 10);
    expect(turned.tests[0].pHolm).toBeNull();

    // Of the 40 users 15, 1, 4 … are hit by some of three runs each: differences are thirds.
    const [users] = await tests({ ids: [...worse, ...better], perUser: true, metrics: ['test/hr@10'] });
    const share = (counts: number[], user: number) => counts.filter((hits) => user < hits).length / counts.length;
    const differences = USERS.map((_, user) => share([14, 14, 20], user) - share([10, 12, 8], user));
    const mean = differences.reduce((sum, value) => sum + value, 0) / 40;
    const variance = differences.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 39;
    const [{ test: found, ...rest }] = users.tests;
    expect(rest).toMatchObject({ n: 40, seeds: [1, 2, 4], differences: [], reason: null });
    expect(found.difference).toBeCloseTo(mean, 12);
    expect(found.t).toBeCloseTo(mean / Math.sqrt(variance / 40), 8);
    expect(found.wilcoxon.n).toBe(12);
    expect(found.wilcoxon.pBetter).toBeCloseTo(2 ** -12, 12);
  });

  test('users with several targets, by the metrics that their runs left; files that cannot be read say so', async () => {
    const metric = 'test/f1@5';
    async function measured(lr: number, f1: number[], description: object | string = {}) {
      const runId = await createRun({ parameters: { lr, of: 'metrics' }, datasetName: 'd', seed: 1 });
      await ok(LOG, { runId, series: [{ name: metric, steps: [0], values: [0.5] }] });
      const known = { dataset: 'd', fingerprint: 'f', columns: ['hr@5', 'f1@5'], users: [1, 2, 3] };
      const text = typeof description === 'string' ? description : JSON.stringify({ ...known, ...description });
      const table = encodeNpy(Float32Array.from(f1.flatMap((value) => [1, value])), [f1.length, 2]);
      await api.fetch(`/artifacts/${runId}/per-user-metrics.npy`, { method: 'PUT', body: Buffer.from(table) });
      await api.fetch(`/artifacts/${runId}/per-user-metrics.json`, { method: 'PUT', body: text });
      await ok('mutation ($id: ID!) { finishRun(runId: $id) { id } }', { id: runId });
      return runId;
    }
    const ids = [
      await measured(1, [0.1, 0.2, 0.3]),
      await measured(2, [0.2, 0.2, 0.7]),
      await measured(3, [0, 0, 0], { users: [1, 2, 4] }),
      await measured(4, [0, 0, 0, 0]),
      await measured(5, [0, 0, 0], 'nonsense'),
      await measured(6, [0, 0, 0], { columns: 7 }),
    ];
    const [{ tests: found }] = await tests({ ids, metrics: [metric], perUser: true });
    // differences 0.1, 0 and 0.4 (stored in single precision): mean 1/6, variance 13/300, so t = (1/6) / sqrt(13/900)
    expect(found[0].test.t).toBeCloseTo(1 / 6 / Math.sqrt(13 / 900), 5);
    expect(found[0].test.wilcoxon).toMatchObject({ n: 2, p: 0.5 });
    expect(found.slice(1).map((one: { reason: string }) => one.reason)).toEqual([
      expect.stringMatching(/was evaluated on other users than the baseline/),
      expect.stringMatching(/its shape is \(4, 2\), expected \(3, 2\) as in per-user-metrics.json/),
      expect.stringMatching(/per-user-metrics.json: .*it is no JSON/),
      expect.stringMatching(/per-user-metrics.json: .*expected array/),
    ]);
    const [{ tests: other }] = await tests({
      ids: ids.slice(0, 2),
      metrics: [metric],
      baseline: ids[1],
      perUser: true,
    });
    expect(other[0].test.t).toBeCloseTo(-found[0].test.t, 10);
  });

  test('what cannot be tested says why', async () => {
    const same = [await ranked(4, 1, withHits(10)), await ranked(4, 2, withHits(10))];
    const constant = [await ranked(5, 1, withHits(20)), await ranked(5, 2, withHits(20))];
    const single = await ranked(6, 7, { ...withHits(5), fingerprint: 'other' });
    const bare = await createRun({ parameters: { lr: 7 }, datasetName: 'd', seed: 1 });
    await ok(LOG, { runId: bare, series: [{ name: 'test/hr@10', steps: [0], values: [1] }] });
    const ids = [...same, ...constant, single, bare];
    const reasons = async (variables: Record<string, unknown>) =>
      (await tests({ ids, ...variables }))[0].tests.map((one: { reason: string }) => one.reason);
    expect(await reasons({})).toEqual([
      expect.stringMatching(/every seed gives the same difference/),
      expect.stringMatching(/needs two seeds of each, .*it has seed 7; the baseline has seeds 1, 2/),
      expect.stringMatching(/no run of it that succeeded has test\/hr@10/),
    ]);
    expect(await reasons({ perUser: true })).toEqual([
      null,
      expect.stringMatching(/users cannot be paired: it used other data/),
      'no run of it has succeeded',
    ]);
    await ok('mutation ($id: ID!) { finishRun(runId: $id) { id } }', { id: bare });
    expect((await reasons({ perUser: true }))[2]).toMatch(/run \d+ left no per-user-ranks.npy/);
    expect(await reasons({ perUser: true, baseline: bare })).toEqual(
      Array(3).fill(expect.stringMatching(/the baseline: run \d+ left no per-user-ranks.npy/)),
    );
    for (const [variables, path] of [
      [{ ids: same }, 'ids'],
      [{ ids, metrics: ['test/hr@1'] }, 'metrics'],
      [{ ids, metrics: [] }, 'metrics'],
      [{ ids, baseline: '999999' }, 'baseline'],
    ] as const) {
      const { errors } = await graphql(TESTS, variables);
      expect(errors[0]).toMatchObject({ extensions: { code: 'BAD_INPUT', path } });
    }
  });
});

describe('export', () => {
  test('has every point, streamed as JSON lines or CSV', async () => {
    const runId = await createRun({ project: 'exported', name: 'e' });
    await ok(LOG, { runId, series: [{ name: 'a', steps: [1, 2], values: ['NaN', 2] }] });
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
