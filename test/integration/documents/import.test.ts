import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { apiForTests } from '../support/apiForTests.ts';
import { documentForTests } from '../support/documentBlocks.ts';
import { runShell } from '../support/runShell.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { type ApiClient, createApiClient } from '#src/base/terminal/apiClient.ts';
import { RunWriter } from '#src/imports/runWriter.ts';
import type { SourceItem } from '#src/imports/source.ts';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { READERS, readAll } from '#test/unit/imports/readSources.ts';

const document = documentForTests('import.md');
const samples = join(projectRoot(), 'test', 'oracles', 'imports');
const folder = temporaryFolder();
cpSync(join(samples, 'tensorboard'), join(folder, 'runs'), { recursive: true });
writeFileSync(join(folder, 'progress.csv'), 'round,loss,lr,comment\n1,0.5,0.1,x\n2,inf,0.1,y\n');
const blocks = {
  tensorboard: document.take('tensorboard', { 'runs/': join(folder, 'runs') }),
  mlflow: document.take('mlflow', { 'mlruns/': join(samples, 'mlflow', 'mlruns') }),
  export: document.take('export', { 'mlruns-of-warren': join(folder, 'mlruns-of-warren') }),
  csv: document.take('csv', { 'progress.csv': join(folder, 'progress.csv') }),
};
const api = await apiForTests();
const variables = { WARREN_API_URL: api.url };

it('brings in what the page shows, once', async () => {
  const [first, second] = (await runShell(blocks.tensorboard, variables)).match(/^2 runs: .*(?=, in)/gm) ?? [];
  expect([first, second]).toEqual([
    '2 runs: 31 points, 3 things to look at; 34 new',
    '2 runs: 31 points, 3 things to look at; 0 new',
  ]);
  await runShell(blocks.mlflow, variables);
  await runShell(blocks.csv, variables);
  const query = `query ($filter: String!) { runs(filter: $filter, project: "mine") { edges { node {
    name state seed startedAt endedAt configuration { parameters } metrics { name pointCount lastStep lastValue }
    history(names: ["odd", "odd/values"], maxPoints: 100) { name steps values } mediaSeries { name kind count } } } } }`;
  const find = async (filter: string) =>
    (await api.ok(query, { filter })).runs.edges.map(({ node }: { node: unknown }) => node);
  const [train] = await find('name = "one/train"');
  expect(train).toMatchObject({
    history: [
      {
        name: 'odd/values',
        steps: [0, 1, 2, 3, 2 ** 53],
        values: ['NaN', 'Infinity', '-Infinity', 1.401298464324817e-45, 5],
      },
    ],
    mediaSeries: [{ name: 'note/text_summary' }, { name: 'picture' }, { name: 'weights' }],
  });
  const [small] = await find('env.import.format = mlflow and state = SUCCEEDED');
  expect(small).toMatchObject({
    ...{ name: 'small', seed: 7, startedAt: '2023-11-14T22:13:20.123Z', endedAt: '2023-11-14T22:14:20.456Z' },
    metrics: [{ name: 'below', lastStep: -2 }, { name: 'odd' }, { name: 'valid/loss', pointCount: 5, lastValue: 0.2 }],
  });
  expect(await find('env.import.format = csv')).toMatchObject([
    {
      name: 'progress',
      configuration: { parameters: { lr: 0.1 } },
      metrics: [{ name: 'loss', pointCount: 2, lastStep: 2, lastValue: 'Infinity' }],
    },
  ]);
});

it('keeps all values of a step for MLflow’s clients, and takes no run of another program', async () => {
  const run_id = '3f0e315b226a476cb84e4355a55b835e';
  const place = `/mlflow/api/2.0/mlflow/metrics/get-history?${new URLSearchParams({ run_id, metric_key: 'valid/loss' })}`;
  const { metrics } = JSON.parse(await (await api.fetch(place)).text());
  expect(metrics.filter(({ step }: { step: number }) => step === 3)).toHaveLength(2);
  const { createRun } = await api.ok('mutation { createRun(input: {}) { id } }');
  const body = JSON.stringify({ experiment_id: '0' });
  const headers = { 'content-type': 'application/json' };
  const made = await api.fetch('/mlflow/api/2.0/mlflow/runs/create', { method: 'POST', headers, body });
  const { run_id: tracked } = JSON.parse(await made.text()).run.info;
  for (const id of [createRun.id, tracked.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')]) {
    const refused = await api.graphql(
      'mutation ($id: ID!) { importRun(input: { id: $id, project: "mine", name: "x" }) { id } }',
      { id },
    );
    expect(refused.errors[0]?.message).toContain('was not imported');
  }
});

it('sends what the run lacks, and no point that it has', async () => {
  const points = (name: string, count: number, more: Partial<Record<number, number>> = {}) => {
    const steps = Array.from({ length: count }, (_, index) => (name === 'repeated' ? (index >> 1) - 100 : index * 3));
    const odd = [Number.NaN, -0, Number.POSITIVE_INFINITY, 1e-300, 1 / 3];
    const values = steps.map((_, index) => more[index] ?? odd[index % odd.length]!);
    return { type: 'points' as const, name, steps, values, times: steps.map((_, index) => 1_700_000_000_000 - index) };
  };
  const requests: string[] = [];
  const client = createApiClient({ url: api.url, token: null });
  const recording: ApiClient = {
    ...client,
    request: async (document, variables) => {
      requests.push(/(?:query|mutation) (\w+)/.exec(document.toString())![1]!);
      return await client.request(document, variables);
    },
    upload: async (...given) => {
      requests.push('upload');
      await client.upload(...given);
    },
    uploadBytes: async (...given) => {
      requests.push('uploadBytes');
      await client.uploadBytes(...given);
    },
  };
  const media = { name: 'note', step: 0, kind: 'text' as const, content: Buffer.from('well'), timeMs: 1 };
  const send = async (items: Exclude<SourceItem, { type: 'warning' }>[]) => {
    const run = { id: 'c0ffee00-0000-4000-8000-000000000001', label: 'again', facts: {}, read: () => items };
    const writer = new RunWriter(recording, run, 'mine');
    requests.length = 0;
    await writer.begin();
    for (const item of items) await writer.add(item);
    await writer.finish();
    return { points: writer.sent.points, newPoints: writer.sent.newPoints, requests: requests.slice(1, -1) };
  };
  const rest: Exclude<SourceItem, { type: 'warning' }>[] = [
    { type: 'media', media: { ...media, mediaType: 'text/plain' } },
    { type: 'file', name: 'progress.csv', path: join(folder, 'progress.csv') },
  ];
  const all = [points('plain', 3_000), points('repeated', 2_000), ...rest];
  const pieces = ['upload', 'ImportPoints', 'uploadBytes', 'ImportMedia'];
  expect(await send(all)).toEqual({ points: 5_000, newPoints: 5_000, requests: pieces });
  expect(await send(all)).toEqual({ points: 5_000, newPoints: 0, requests: ['PointsHeld', 'ImportMedia'] });
  // grown, and another value at a step that is there
  const grown = [points('plain', 3_001), points('repeated', 2_000, { 7: 5 }), points('new', 10)];
  expect(await send(grown)).toEqual({ points: 5_011, newPoints: 12, requests: ['PointsHeld', 'ImportPoints'] });
  expect(await send([points('plain', 3_001)])).toMatchObject({ newPoints: 0, requests: ['PointsHeld'] });
  const place = 'run_id=c0ffee00000040008000000000000001&metric_key=repeated';
  const history = `/mlflow/api/2.0/mlflow/metrics/get-history?${place}`;
  expect(JSON.parse(await (await api.fetch(history)).text()).metrics).toHaveLength(2_001);
});

it('goes out as a file store of MLflow’s, and comes back the same', async () => {
  await runShell(blocks.export, variables);
  const runs = await readAll(READERS.mlflow!(join(folder, 'mlruns-of-warren')));
  const small = runs.find(({ label }) => label === 'small')!;
  expect(small.facts).toMatchObject({ state: 'SUCCEEDED', seed: 7, startedMs: 1_700_000_000_123, notes: 'all well' });
  expect(small.facts.parameters).toEqual({ lr: 0.1, net: { layers: 2 }, 'odd param': 'tru: e\nline' });
  expect(small.points.odd!.map(([, value]) => value)).toEqual([
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ]);
  expect(small.points.below).toEqual([[-2, 1.5, 1_700_000_003_000]]);
  expect(small.items).toMatchObject([{ type: 'file', name: 'sub/notes.txt' }]);
});
