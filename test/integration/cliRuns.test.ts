import { expect, it } from 'vitest';
import { apiForTests } from './support/apiForTests.ts';
import { LOG_METRICS, createExternalRun } from './support/externalRunCalls.ts';
import { callWarren, runWarren } from './support/warrenCommand.ts';
import { waitUntil } from './support/waitUntil.ts';

const api = await apiForTests();
const variables = { WARREN_API_URL: api.url };
const warren = (...parameters: string[]) => runWarren(parameters, variables);

it('prints the log of a run, its last lines, and what comes until it has ended', async () => {
  const run = await createExternalRun(api);
  const log = async (from: number, ...texts: string[]) => {
    const lines = texts.map((text) => ({ text }));
    const mutation =
      'mutation ($run: ID!, $from: Int!, $lines: [LogLineInput!]!) { logLines(runId: $run, from: $from, lines: $lines) }';
    await api.ok(mutation, { run, from, lines });
  };
  const textsOf = (stdout: string) =>
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ').at(-1));
  await log(0, 'a', 'b', 'c');
  expect(textsOf((await warren('logs', run)).stdout)).toEqual(['a', 'b', 'c']);
  expect((await warren('logs', run, '--lines', '0')).stdout).toBe('');
  const following = callWarren(['logs', run, '--follow', '--lines', '1'], variables);
  await waitUntil('the last line', () => following.stdout().includes('c'));
  await log(3, 'd');
  await waitUntil('the new line', () => following.stdout().includes('d'));
  await api.ok('mutation ($run: ID!) { finishRun(runId: $run) { id } }', { run });
  const { code, stdout } = await following.ended;
  expect([code, textsOf(stdout)]).toEqual([0, ['c', 'd']]);
  expect((await warren('logs', '999999')).stderr).toMatch(/^warren: there is no run 999999/);
});

it('says in one line that a source of an import is not there', async () => {
  const { code, stderr } = await warren('import', 'csv', 'none.csv', '--project', 'p');
  expect([code, stderr.trim()]).toEqual([2, 'warren: none.csv: there is no such file or folder']);
});

it('lists any metric or text as a column, whatever is in its name, and says which name is near one that no run has', async () => {
  const runId = await createExternalRun(api, { project: 'names', parameters: { lr: 0.1 } });
  const series = ['loss', 'a\nb'].map((name) => ({ name, steps: [0], values: [0.25] }));
  await api.ok(LOG_METRICS, { runId, series });
  const items = [{ name: 'phase', step: 0, kind: 'text', metadata: { text: 'warm-up' } }];
  await api.ok('mutation ($runId: ID!, $items: [MediaInput!]!) { logMedia(runId: $runId, items: $items) }', {
    runId,
    items,
  });
  const ls = (...parameters: string[]) => warren('ls', '--project', 'names', ...parameters);
  const cells = (stdout: string) =>
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.trim().split(/ {2,}/));
  expect(cells((await ls('loss < 0.3 and lr = 0.1', '--columns', 'seed,loss,phase,lr')).stdout)).toEqual([
    ['SEED', 'loss', 'phase', 'lr'],
    ['0', '0.2500', 'warm-up', '0.1'],
  ]);
  const usual = cells((await ls()).stdout);
  expect([usual.length, usual[0]]).toEqual([2, expect.arrayContaining(['a\\nb', 'loss'])]);
  const shown = (await warren('show', runId)).stdout;
  expect(shown).toMatch(/^a\\nb +0\.2500/m);
  for (const [parameters, message] of [
    [['--columns', 'los'], 'there is no column "los", and no run has a metric of that name. Did you mean "loss"?'],
    [['lossy < 0.1'], 'Did you mean "metric.loss"?'],
    [['lossy < 0.1', '--group-by', 'lr'], 'Did you mean "metric.loss"?'],
  ] as const) {
    const { code, stderr } = await ls(...parameters);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  }
  expect((await ls('--order', 'metric.los')).stderr).toContain(
    '--order: no run has a metric "los". Did you mean "loss"?',
  );
  const { stdout, stderr } = await ls('metric.los < 1', '--json');
  expect([JSON.parse(stdout), stderr]).toEqual([
    [],
    expect.stringContaining('no run has a metric "los". Did you mean "loss"?'),
  ]);
});

it('shows parameters that tell runs of one program apart, whatever they are called', async () => {
  for (const [index, dataset] of ['cifar', 'mnist'].entries()) {
    const parameters = { dataset, 'net.width': 32 + index };
    await createExternalRun(api, { project: 'told', name: 'train.py', parameters });
  }
  const { stdout } = await warren('ls', '--project', 'told');
  const [head = '', ...rows] = stdout.trimEnd().split('\n');
  expect(head).toMatch(/ dataset +net\.width /);
  expect(rows.map((row) => /\b(cifar|mnist) +(\d+) /.exec(row)?.slice(1))).toEqual([
    ['mnist', '33'],
    ['cifar', '32'],
  ]);
});

it('marks the best group of the same data alone, in every format, and says that others do not compare', async () => {
  for (const [datasetName, values] of [
    ['easy', [0.8, 0.9]],
    ['hard', [0.1, 0.2]],
  ] as const) {
    for (const [width, value] of values.entries()) {
      const runId = await createExternalRun(api, { project: 'unlike', datasetName, parameters: { width } });
      await api.ok(LOG_METRICS, { runId, series: [{ name: 'test/ndcg@10', steps: [0], values: [value] }] });
    }
  }
  const ls = (...parameters: string[]) => warren('ls', '--project', 'unlike', '--group-by', ...parameters);
  const { stdout, stderr } = await ls('dataset,width');
  const marked = stdout.split('\n').filter((line) => line.trimEnd().endsWith('*'));
  expect(marked.map((line) => line.split(/\s+/).slice(0, 2))).toEqual([
    ['easy', '1'],
    ['hard', '1'],
  ]);
  expect(stderr).toContain('not comparable, for the runs differ in their data: test/ndcg@10 by dataset');
  expect((await ls('dataset,width', '--format', 'md')).stdout.match(/\*\*[\d.]+\*\*/g)).toEqual([
    '**0.9000**',
    '**0.2000**',
  ]);
  expect((await ls('width', '--format', 'latex')).stdout).not.toContain('textbf');
  const alike = await warren('ls', 'dataset = hard', '--project', 'unlike', '--group-by', 'width', '--format', 'md');
  expect([alike.stdout.match(/\*\*[\d.]+\*\*/g), alike.stderr]).toEqual([['**0.2000**'], '']);
});
