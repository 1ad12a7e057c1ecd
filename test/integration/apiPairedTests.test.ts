import { describe, expect, test } from 'vitest';
import { encodeNpy } from '#workers/data/read/npyFile.ts';
import { apiForTests } from './support/apiForTests.ts';
import { createExternalRun, LOG_METRICS } from './support/externalRunCalls.ts';

const api = await apiForTests();
const { ok, graphql } = api;

describe('is one configuration better than another', () => {
  const USERS = Array.from({ length: 40 }, (_, user) => `u${user}`);
  const TESTS = `query ($ids: [ID!]!, $metrics: [String!], $baseline: ID, $perUser: Boolean) { compareRuns(ids: $ids) {
    groups { configuration { hash } } pairedTests(metrics: $metrics, baseline: $baseline, perUser: $perUser) {
      name direction baselineHash tests { configurationHash mean baselineMean n seeds baselineSeeds about family differences pHolm wilcoxonHolm reason
        users { above below equal limit counts }
        test { method difference low high t df p pBetter wilcoxon { w n exact p pBetter } } } } } }`;

  /** A finished run whose program left the rank of each user's item. */
  async function ranked(
    lr: number,
    seed: number,
    { ranks, fingerprint = 'f' }: { ranks: number[]; fingerprint?: string },
  ) {
    const runId = await createExternalRun(api, { parameters: { lr, of: 'tests' }, datasetName: 'd', seed });
    const hits = ranks.filter((rank) => rank >= 1 && rank <= 10).length;
    const series = [{ name: 'test/hr@10', steps: [0], values: [hits / ranks.length] }];
    await ok(LOG_METRICS, {
      runId,
      series: [...series, { name: 'time/total', steps: [0], values: [lr * seed * seed] }],
    });
    const historyLengths = USERS.map((_, user) => user);
    const description = { dataset: 'd', fingerprint, part: 'test', cutoffs: [10], users: USERS, historyLengths };
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

  test('by a metric that two configurations have, not by one that only one has', async () => {
    const logged = [
      [0, { 'test/ndcg@10': 0.3, 'valid/accuracy': 0.8 }],
      [1, { 'valid/accuracy': 0.7 }],
    ] as const;
    const ids: string[] = [];
    for (const [lr, values] of logged) {
      const runId = await createExternalRun(api, { parameters: { lr, of: 'shared metrics' }, seed: 1 });
      const series = Object.entries(values).map(([name, value]) => ({ name, steps: [0], values: [value] }));
      await ok(LOG_METRICS, { runId, series });
      await ok('mutation ($id: ID!) { finishRun(runId: $id) { id } }', { id: runId });
      ids.push(runId);
    }
    expect((await tests({ ids })).map(({ name }: { name: string }) => name)).toEqual(['valid/accuracy']);
  });

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
    // two configurations in two metrics, one of which gives the same with every seed
    const made = [hr, time].flatMap((metric) => metric.tests).filter((one: { test: unknown }) => one.test !== null);
    expect(paired).toMatchObject({ family: made.length, about: 'models' });
    const smaller = made.filter((one: { test: { p: number } }) => one.test.p < paired.test.p).length;
    expect(paired.pHolm).toBeGreaterThanOrEqual(Math.min(1, (made.length - smaller) * paired.test.p) - 1e-10);
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
    expect(rest).toMatchObject({ n: 40, seeds: [1, 2, 4], baselineSeeds: [1, 2, 3], about: 'methods', reason: null });
    expect(rest.users).toMatchObject({ above: 12, below: 0, equal: 28 });
    expect(found).toMatchObject({ method: 'crossed', wilcoxon: null });
    expect(found.difference).toBeCloseTo(mean, 12);
    // the seeds' means 14, 14, 20 and 10, 12, 8 of 40 have the variances .0075 and .0025; what is left of each value counts once
    const left = [
      [14, 14, 20],
      [10, 12, 8],
    ].map((counts) => {
      const all = counts.reduce((sum, hits) => sum + hits, 0) / 120;
      const squares = counts.flatMap((hits) =>
        USERS.map((_, user) => ((user < hits ? 1 : 0) - hits / 40 - share(counts, user) + all) ** 2),
      );
      return squares.reduce((sum, value) => sum + value, 0) / (2 * 39) / 120;
    });
    const ofUsers = Math.max(0, variance / 40 - left[0]! - left[1]!);
    expect(found.t).toBeCloseTo(mean / Math.sqrt(0.0075 / 3 + 0.0025 / 3 + ofUsers), 8);

    // with two seeds pairs are users, and these trained models are all that is spoken of
    const [few] = await tests({ ids: [...worse.slice(1), ...better], perUser: true, metrics: ['test/hr@10'] });
    expect(few.tests[0]).toMatchObject({ about: 'models', test: { method: 'paired' }, seeds: [1, 2, 4] });
  });

  test('a configuration against itself: its later seeds against its first, which says that it is chance', async () => {
    const ids: string[] = [];
    for (const seed of [1, 2, 3, 4]) ids.push(await ranked(9, seed, withHits(10 + seed)));
    const [{ tests: found, baselineHash }] = await tests({ ids, metrics: ['test/hr@10'] });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ configurationHash: baselineHash, seeds: [3, 4], baselineSeeds: [1, 2] });
    expect(found[0].test.difference).toBeCloseTo(2 / 40, 12);
    expect(found[0].reason).toMatch(/^one configuration against itself.*; not paired/);
    const [{ tests: users }] = await tests({ ids, perUser: true, metrics: ['test/hr@10'] });
    expect(users[0].reason).toBe(
      'one configuration against itself, seeds 3-4 against 1-2: what is found here is chance',
    );
    const { errors } = await graphql(TESTS, { ids: ids.slice(0, 1), metrics: ['test/hr@10'] });
    expect(errors?.[0]?.message).toBe('a test compares two runs or more, received one');
  });

  test('over users at any cut-off and for any group of them, also where nobody logged it', async () => {
    const ids = [await ranked(4, 1, withHits(10)), await ranked(5, 1, withHits(30))];
    const names = ['test/hr@3', 'test/length-5-14/hr@3', 'test/length-39-up/hr@3', 'test/length-50-up/hr@3'];
    const found = await tests({ ids, perUser: true, metrics: names });
    expect(found.map(({ name, direction }: { name: string; direction: string }) => [name, direction])).toEqual(
      names.map((name) => [name, 'higher']),
    );
    // ranks 1 to 10 come in turn: of the users 0 to 9, 0 to 29 those whose number ends in 0, 1 or 2 are hit
    expect(found[0].tests[0]).toMatchObject({ n: 40, mean: 9 / 40, baselineMean: 3 / 40 });
    // of the users 5 to 14 the second run hits 10, 11, 12
    expect(found[1].tests[0]).toMatchObject({ n: 10, mean: 0.3, baselineMean: 0, users: { above: 3, equal: 7 } });
    expect(found[2].tests[0]).toMatchObject({ test: null, reason: 'needs two users, there is 1' });
    expect(found[3].tests[0]).toMatchObject({ test: null, reason: 'no user is in this group' });
    const [{ tests: popularity }] = await tests({ ids, perUser: true, metrics: ['test/popularity-1-9/hr@3'] });
    expect(popularity[0].reason).toMatch(/did not leave the popularity of the target of each user: run them again/);
    const { errors } = await graphql(TESTS, { ids, metrics: ['test/hr@3'] });
    expect(errors?.[0]?.message).toMatch(/no compared run has "test\/hr@3"/);
  });

  test('users with several targets, by the metrics that their runs left; files that cannot be read say so', async () => {
    const metric = 'test/f1@5';
    async function measured(lr: number, f1: number[], description: object | string = {}) {
      const runId = await createExternalRun(api, { parameters: { lr, of: 'metrics' }, datasetName: 'd', seed: 1 });
      await ok(LOG_METRICS, { runId, series: [{ name: metric, steps: [0], values: [0.5] }] });
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
      expect.stringMatching(/per-user-metrics.json: .*it is not JSON/),
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

  test('of runs of one’s own program the metric that tells most of them, without being asked', async () => {
    const runWith = async (lr: number, seed: number, names: readonly string[]) => {
      const runId = await createExternalRun(api, { parameters: { lr, of: names }, seed });
      const series = names.map((name, index) => ({ name, steps: [0], values: [lr + seed * seed * (index + 1)] }));
      await ok(LOG_METRICS, { runId, series });
      await ok('mutation ($id: ID!) { finishRun(runId: $id) { id } }', { id: runId });
      return runId;
    };
    const testedOf = async (...names: string[]) => {
      const ids = [];
      for (const lr of [1, 2]) for (const seed of [1, 2]) ids.push(await runWith(lr * seed, seed, names));
      return (await tests({ ids })).map(({ name }: { name: string }) => name);
    };
    expect(await testedOf('epoch', 'system/memory_mb', 'train/loss', 'val_loss', 'score')).toEqual(['val_loss']);
    expect(await testedOf('epoch', 'score', 'time/total')).toEqual(['score']);
    const timed = [await runWith(1, 1, ['time/total']), await runWith(2, 2, ['time/total'])];
    const { errors } = await graphql(TESTS, { ids: timed });
    expect(errors[0]).toMatchObject({
      message: expect.stringContaining('none that tells'),
      extensions: { path: 'metrics' },
    });
  });

  test('what cannot be tested says why', async () => {
    const same = [await ranked(4, 1, withHits(10)), await ranked(4, 2, withHits(10))];
    const constant = [await ranked(5, 1, withHits(20)), await ranked(5, 2, withHits(20))];
    const single = await ranked(6, 7, { ...withHits(5), fingerprint: 'other' });
    const bare = await createExternalRun(api, { parameters: { lr: 7 }, datasetName: 'd', seed: 1 });
    await ok(LOG_METRICS, { runId: bare, series: [{ name: 'test/hr@10', steps: [0], values: [1] }] });
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
    // a configuration alone is tested against itself, which tells what chance alone does
    expect((await tests({ ids: same }))[0].tests[0].reason).toMatch(
      /^one configuration against itself, seeds 2 against 1: /,
    );
    for (const [variables, path] of [
      [{ ids: [bare] }, 'ids'],
      [{ ids, metrics: ['test/hr@1'] }, 'metrics'],
      [{ ids, metrics: [] }, 'metrics'],
      [{ ids, baseline: '999999' }, 'baseline'],
    ] as const) {
      const { errors } = await graphql(TESTS, variables);
      expect(errors[0]).toMatchObject({ extensions: { code: 'BAD_INPUT', path } });
    }
  });
});
