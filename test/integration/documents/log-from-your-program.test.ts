import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiForTests } from '../support/apiForTests.ts';
import { documentForTests } from '../support/documentBlocks.ts';
import { pythonForTests } from '../support/pythonForTests.ts';
import { runShell } from '../support/runShell.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const document = documentForTests('log-from-your-program.md');
const api = await apiForTests();
const here = { 'http://127.0.0.1:4680': api.url };
const python = pythonForTests({ WARREN_API_URL: api.url });
const folder = temporaryFolder();
const scripts = {
  fetch: document.take('fetch', here),
  first: document.take('first'),
  media: document.take('media'),
  plots: document.take('plots'),
  read: document.take('read'),
  resume: document.take('resume'),
  fork: document.take('fork'),
  offline: document.take('offline'),
  graphql: document.take('graphql', here),
  fetchTypescript: document.take('fetch-typescript', here),
  typescript: document.take('typescript'),
  readTypescript: document.take('read-typescript'),
};

async function newestRun(): Promise<{ id: string }> {
  const { runs } = await api.ok(
    '{ runs(project: "mine", first: 1) { edges { node { id name state metrics { name pointCount } } } } }',
  );
  return runs.edges[0].node;
}

it('logs from a shell, through GraphQL', async () => {
  await runShell(scripts.graphql, {});
  expect(await newestRun()).toMatchObject({ name: 'from a shell', state: 'SUCCEEDED', metrics: [{ pointCount: 2 }] });
});

it('logs from TypeScript', async () => {
  await runShell(scripts.fetchTypescript, {}, folder);
  writeFileSync(join(folder, 'train.mjs'), scripts.typescript);
  await runShell('node train.mjs', { WARREN_API_URL: api.url }, folder);
  expect(await newestRun()).toMatchObject({
    name: 'from node',
    state: 'SUCCEEDED',
    metrics: [{ name: 'train/loss', pointCount: 20 }],
  });
  writeFileSync(join(folder, 'read.mjs'), scripts.readTypescript);
  const read = await runShell('node read.mjs', { WARREN_API_URL: api.url }, folder);
  expect(read).toMatch(/SUCCEEDED \{ epochs: 20, learningRate: 0.1 \} 0\.\d+\n/);
  expect(read).toMatch(/^20 http\S+\/runs\/\d+ \[/m);
});

describe.skipIf(python === null)('from Python', () => {
  it('serves the client as one file', async () => {
    await runShell(scripts.fetch, {}, folder);
    expect(readFileSync(join(folder, 'warren.py'), 'utf8')).toContain('def init(');
  });

  it('logs a training loop', async () => {
    await python!.run(scripts.first);
    const metrics = ['train/loss', 'weight'].map((name) => ({ name, pointCount: 20 }));
    expect(await newestRun()).toMatchObject({ name: 'linear', state: 'SUCCEEDED', metrics });
  });

  it('reads runs back', async () => {
    const printed = await python!.run(scripts.read);
    expect(printed).toMatch(/^2 runs, the best of them: \d+ \{.*'learning/);
    const { runs } = await api.ok('{ runs(filter: "tag = checked") { totalCount } }');
    expect(runs.totalCount).toBe(1);
  });

  it('logs something to look at', async () => {
    await python!.run(scripts.media);
    const query = '{ runs(project: "mine", first: 1) { edges { node { name mediaSeries { name kind count } } } } }';
    const { node } = (await api.ok(query)).runs.edges[0];
    expect(node).toEqual({
      name: 'pictures',
      mediaSeries: [
        { name: 'answer', kind: 'text', count: 1 },
        { name: 'predictions', kind: 'table', count: 1 },
        { name: 'report', kind: 'html', count: 1 },
        { name: 'samples', kind: 'image', count: 6 },
        { name: 'weights', kind: 'histogram', count: 3 },
      ],
    });
    await python!.run(scripts.plots);
    const charts = (await api.ok(query)).runs.edges[0].node.mediaSeries;
    expect(charts.map(({ name, kind }: Record<string, string>) => `${name}: ${kind}`)).toEqual(
      ['confusion', 'losses', 'roc'].flatMap((name) => [`${name}: vegaLite`, `${name}_table: table`]),
    );
  });

  it('goes on with a run of the same id', async () => {
    await python!
      .run(
        scripts.resume
          .replace('range(run.step, 10)', 'range(4)')
          .replace('warren.finish()', 'import os; os.kill(os.getpid(), 9)'),
      )
      .catch(() => {});
    await python!.run(scripts.resume);
    expect(await newestRun()).toMatchObject({ state: 'SUCCEEDED', metrics: [{ name: 'train/loss', pointCount: 10 }] });
  });

  it('branches off from a run', async () => {
    const { id: parent } = await newestRun();
    await python!.run(scripts.fork);
    const fork = await newestRun();
    expect(fork).toMatchObject({ state: 'SUCCEEDED', metrics: [{ name: 'train/loss', pointCount: 10 }] });
    const { run } = await api.ok('query ($id: ID!) { run(id: $id) { forkStep forkedFrom { id } forks { id } } }', {
      id: fork.id,
    });
    expect(run).toEqual({ forkStep: 4, forkedFrom: { id: parent }, forks: [] });
  });

  it('sends an offline run later', async () => {
    writeFileSync(join(folder, 'train.py'), scripts.first.replace('"linear"', '"offline"'));
    await runShell(scripts.offline, { WARREN_API_URL: api.url }, folder);
    expect(await newestRun()).toMatchObject({ name: 'offline', state: 'SUCCEEDED' });
  });
});
