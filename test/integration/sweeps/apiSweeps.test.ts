import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { apiForTests } from '../support/apiForTests.ts';
import { waitUntil } from '../support/waitUntil.ts';

const api = await apiForTests();

const FILE = {
  method: 'sobol',
  kind: 'item-knn',
  dataset: 'generated/markov-small',
  metric: { name: 'valid/ndcg@10' },
  run_cap: 6,
  parameters: { shrinkage: { distribution: 'uniform', min: 0, max: 100 } },
};
const CREATE = `mutation Create($file: JSON!) { createSweep(input: { file: $file, project: "knn", name: "shrinkage" }) {
  warnings sweep { id number name state definition project { name } best { number }
    counts { total running succeeded failed cancelled planned }
    trials(first: 2, after: 0) { number point state objective runs { number seed state sweepTrial sweep { number } } } } } }`;

test('a sweep is created, followed, extended, cancelled, and its runs are found by it', async () => {
  const { createSweep } = await api.ok(CREATE, { file: FILE });
  const { sweep } = createSweep;
  expect(createSweep.warnings).toEqual([]);
  expect(sweep).toMatchObject({
    ...{ name: 'shrinkage', state: 'RUNNING', project: { name: 'knn' }, best: null },
    definition: { method: 'sobol', metric: { goal: 'maximize' }, seeds: [1], concurrency: 4 },
    counts: { total: 4, running: 4, succeeded: 0, failed: 0, cancelled: 0, planned: 6 },
  });
  expect(sweep.trials).toMatchObject(
    [1, 2].map((number) => ({
      ...{ number, state: 'RUNNING', objective: null, point: { shrinkage: expect.any(Number) } },
      runs: [{ seed: 1, state: 'QUEUED', sweepTrial: number, sweep: { number: sweep.number } }],
    })),
  );

  const seen: { state: string; counts: { total: number } }[] = [];
  const client = api.socket();
  const query = `subscription { sweepChanged(id: "${sweep.number}") { state counts { total } } }`;
  const stop = client.subscribe(
    { query },
    {
      next: ({ data }) => seen.push((data as { sweepChanged: (typeof seen)[number] }).sweepChanged),
      error: () => {},
      complete: () => {},
    },
  );
  await waitUntil('the sweep as it is', () => seen.length > 0);
  const extend =
    'mutation Extend($input: ExtendSweepInput!) { extendSweep(input: $input) { counts { planned total } } }';
  const { extendSweep } = await api.ok(extend, { input: { id: sweep.id, trials: 1, concurrency: 5 } });
  expect(extendSweep.counts).toEqual({ planned: 7, total: 5 });
  await waitUntil('the fifth trial', () => seen.some(({ counts }) => counts.total === 5));
  await api.ok(`mutation { pauseSweep(id: "${sweep.id}") { id } }`);
  await waitUntil('the pause', () => seen.at(-1)?.state === 'PAUSED');
  await api.ok(`mutation { resumeSweep(id: "${sweep.id}") { id } cancelSweep(id: "${sweep.id}") { id } }`);
  await waitUntil('the end', () => seen.at(-1)?.state === 'CANCELLED');
  stop();
  await client.dispose();

  const { runs } = await api.ok(
    `{ runs(filter: "sweep = ${sweep.number} and trial < 2") { edges { node { state } } } }`,
  );
  expect(runs.edges).toEqual([1, 2].map(() => ({ node: { state: 'CANCELLED' } })));
  const { sweeps } = await api.ok('{ sweeps(project: "knn") { number endedAt confirmations { id } } }');
  expect(sweeps).toEqual([{ number: sweep.number, endedAt: expect.any(String), confirmations: [] }]);
});

test('a sweep file as text is taken, and its trials are read in columns', async () => {
  const text = [
    ...['method: random', 'metric: { name: valid/ndcg@10 }', 'run_cap: 3', 'seeds: 2', 'concurrency: 3'],
    ...['parameters:', '  shrinkage: { min: 0.0, max: 100 }', '  neighbours: { values: [10, 20] }'],
  ].join('\n');
  const file = { kind: 'item-knn', dataset: 'generated/markov-small' };
  const create = `mutation Create($text: String!, $file: JSON) { createSweep(input: { text: $text, file: $file }) { sweep {
    number importance { path } parameters { path scale constant minimum maximum values }
    trialColumns(after: 0) { numbers states objectives errors parameters { path values }
      runs { trials ids numbers seeds states values } } } } }`;
  const { sweep } = (await api.ok(create, { text, file })).createSweep;
  expect(sweep.importance).toEqual([]);
  expect(sweep.parameters).toEqual([
    { path: 'neighbours', scale: 'CATEGORY', constant: false, minimum: null, maximum: null, values: [10, 20] },
    { path: 'shrinkage', scale: 'LINEAR', constant: false, minimum: 0, maximum: 100, values: null },
  ]);
  expect(sweep.trialColumns).toMatchObject({
    ...{ numbers: [1, 2], states: ['RUNNING', 'RUNNING'], objectives: [null, null], errors: [null, null] },
    parameters: [
      { path: 'neighbours', values: [expect.any(Number), expect.any(Number)] },
      { path: 'shrinkage', values: [expect.any(Number), expect.any(Number)] },
    ],
    runs: { trials: [1, 1, 2, 2], seeds: [1, 2, 1, 2], states: Array(4).fill('QUEUED'), values: Array(4).fill(null) },
  });
  const refused = await api.graphql(create, { text: 'method: [', file });
  expect(refused.errors[0]).toMatchObject({
    message: expect.stringContaining('at line 1'),
    extensions: { code: 'BAD_INPUT', path: 'text' },
  });
  await api.ok(`mutation { cancelSweep(id: "${sweep.number}") { id } }`);
});

test('what cannot be is refused with a code, the path and what would be right', async () => {
  const file = { ...FILE, metric: { name: 'test/ndcg@10' } };
  const refused = await api.graphql(CREATE, { file });
  expect(refused.errors[0]).toMatchObject({
    message: expect.stringContaining('warren sweep confirm'),
    extensions: { code: 'BAD_INPUT', path: 'metric.name' },
  });
  const missing = await api.graphql('mutation { pauseSweep(id: "77") { id } }');
  expect(missing.errors[0]).toMatchObject({ message: 'there is no sweep 77', extensions: { code: 'NOT_FOUND' } });
});

test('agents take trials, each once: a repeated call answers the same run', async () => {
  const file = {
    ...{ method: 'grid', kind: 'external', metric: { name: 'loss' }, seeds: [3, 4], tags: ['own'], dataset: 'mine' },
    ...{ command: ['sh', 'train.sh', '{lr}', '{seed}'], parameters: { lr: { values: [0.1, 0.2] } } },
  };
  const { createSweep } = await api.ok(CREATE, { file });
  const { id, number } = createSweep.sweep;
  expect(createSweep).toMatchObject({ warnings: [], sweep: { counts: { total: 0, planned: 2 }, trials: [] } });
  const take = `mutation Take($input: TakeTrialInput!) { takeTrial(input: $input) {
    outcome reason trial point line run { id seed state tags user configuration { parameters datasetName } } } }`;
  const taken = async (runId: string) =>
    (await api.ok(take, { input: { sweep: String(number), runId, user: 'ada' } })).takeTrial;
  const ids = Array.from({ length: 5 }, () => randomUUID());
  const first = await taken(ids[0]!);
  expect(first).toEqual({
    ...{ outcome: 'TAKEN', reason: '', trial: 0, point: { lr: 0.1 }, line: ['sh', 'train.sh', '0.1', '3'] },
    run: {
      ...{ id: ids[0], seed: 3, state: 'RUNNING', tags: ['own'], user: 'ada' },
      configuration: { parameters: { lr: 0.1 }, datasetName: 'mine' },
    },
  });
  expect(await taken(ids[0]!)).toEqual(first);
  const others = await Promise.all(ids.slice(1, 4).map(taken));
  expect(others.map(({ trial, run }) => [trial, run.seed]).sort()).toEqual([
    [0, 4],
    [1, 3],
    [1, 4],
  ]);
  expect(await taken(ids[4]!)).toMatchObject({
    outcome: 'ENDED',
    reason: 'the grid has no more than 2 points',
    run: null,
  });
  for (const runId of ids.slice(0, 4)) {
    await api.ok(
      `mutation { logMetrics(runId: "${runId}", series: [{ name: "loss", steps: [0], values: [1] }]) finishRun(runId: "${runId}") { id } }`,
    );
  }
  expect(await taken(ids[4]!)).toMatchObject({ outcome: 'ENDED', reason: 'the grid has no more than 2 points' });
  const { sweep } = await api.ok('query ($id: ID!) { sweep(id: $id) { state best { number objective } } }', { id });
  expect(sweep).toEqual({ state: 'FINISHED', best: { number: 0, objective: 1 } });
  const resumed = await api.graphql(`mutation { resumeRun(runId: "${ids[0]}") { id } }`);
  expect(resumed.errors[0]!.extensions.code, 'a trial that succeeded is final').toBe('CONFLICT');

  const refusals = await Promise.all([
    api.graphql(take, { input: { sweep: String(number), runId: 'mine' } }),
    api.graphql(CREATE, { file: { ...file, preset: 'any' } }),
  ]);
  expect(refusals.map(({ errors }) => [errors[0]!.extensions.code, errors[0]!.extensions.path])).toEqual([
    ['BAD_INPUT', 'runId'],
    ['BAD_INPUT', 'preset'],
  ]);
});
