import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { startProgram } from './runtime/testWorkers.ts';
import { apiForTests } from './support/apiForTests.ts';
import { createExternalRun, LOG_METRICS } from './support/externalRunCalls.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';
import { runWarren, startWarren } from './support/warrenCommand.ts';
import { waitUntil } from './support/waitUntil.ts';
import { slowness } from './support/slowness.ts';

const DATASET = 'generated/markov-small';
const QUICK = ['run', 'mf-bpr', '--dataset', DATASET, '--set', 'epochs=5', '--set', 'evaluateEvery=1'];
const LONG = ['run', 'mf-bpr', '--dataset', 'generated/markov-large', '--set', 'epochs=100000'];

describe('the command line with a running Warren', async () => {
  const home = join(temporaryFolder(), 'home');
  const api = await apiForTests();
  const environment = { WARREN_HOME: home, WARREN_API_URL: api.url, DATABASE_URL: api.postgres.url };
  const warren = (...parameters: string[]) => runWarren(parameters, environment);
  const json = async (...parameters: string[]) => JSON.parse((await warren(...parameters)).stdout);
  const stateOf = async (id: string) => (await api.ok('query ($id: ID!) { run(id: $id) { state } }', { id })).run.state;

  beforeAll(async () => {
    await startProgram(builtFile('worker.js'), environment);
  });

  it('queues runs, waits for them and prints what they found', async () => {
    const { code, stdout, stderr } = await warren(
      ...QUICK,
      '--seeds',
      '1-3',
      '--project',
      'p',
      '--tag',
      'quick',
      '--wait',
      '--json',
    );
    expect(code).toBe(0);
    const results = JSON.parse(stdout);
    expect(results).toHaveLength(3);
    expect(results[1]).toMatchObject({
      state: 'SUCCEEDED',
      kind: 'mf-bpr',
      dataset: DATASET,
      seed: 2,
      config: { epochs: 5 },
    });
    const local = await json(...QUICK, '--seed', '2', '--local', '--json');
    expect(results[1].metrics['test/ndcg@10']).toBe(local.metrics['test/ndcg@10']);
    expect(stderr).toMatch(/#\d+ .*succeeded/);
  });

  it('ends with exit code 1 when a run fails, and says why', async () => {
    const { code, stderr } = await warren('run', 'markov', '--dataset', 'nowhere', '--wait');
    expect(code).toBe(1);
    expect(stderr).toMatch(/#\d+ failed: dataset "nowhere" was not found/);
    expect(stderr, 'said before it was executed').toMatch(
      /^warren: dataset "nowhere" is neither in the catalog nor in/m,
    );
  });

  it('shows what the runs of a program have logged, and says which names of a filter or a table none has', async () => {
    const logged = { project: 'own', name: 'mine', parameters: { rate: 1 } };
    const made = await createExternalRun(api, logged);
    await api.ok(LOG_METRICS, { runId: made, series: [{ name: 'valid/rmse', steps: [0], values: [0.25] }] });
    expect((await warren('ls', '--project', 'own')).stdout).toMatch(/valid\/rmse[\s\S]*0\.25/);
    expect((await warren('ls', '--project', 'own', '--group-by', 'rate')).stdout).toMatch(/valid\/rmse[\s\S]*0\.25/);
    expect((await warren('ls', 'project = own')).stdout, 'other projects have other metrics').toMatch(
      /valid\/rmse[\s\S]*0\.25/,
    );
    const recommender = { project: 'rankings', name: 'mine too', parameters: { rate: 1 } };
    const runId = await createExternalRun(api, recommender);
    await api.ok(LOG_METRICS, { runId, series: [{ name: 'test/ndcg@10', steps: [0], values: [0.375] }] });
    expect((await warren('ls', '--project', 'rankings')).stdout, 'the main metric of another kind').toMatch(
      /test\/ndcg@10[\s\S]*0\.375/,
    );
    const { stdout: ofFilter } = await warren('ls', 'project = own', '--group-by', 'rate');
    expect(ofFilter.split('\n')[0]).toMatch(/^rate +RUNS +valid\/rmse$/);
    const tagged = await warren('tag', made, '9999', '--add', 'x');
    expect([tagged.code, tagged.stderr]).toEqual([
      2,
      'warren: there is no run 9999; `warren ls --trash` lists those in the trash: nothing is changed\n',
    ]);
    expect((await warren('ls', '--columns', 'rmse')).stderr).toContain(
      'there is no column "rmse", and no run has a metric of that name. Did you mean "valid/rmse"?',
    );
    const missed = await warren('ls', '--project', 'own', 'config.rat = 1');
    expect([missed.code, missed.stderr]).toEqual([
      0,
      'warren: no run matches the filter\nno run has config.rat. Did you mean "config.rate"?\n',
    ]);
    const grouped = await warren('ls', '--project', 'own', '--group-by', 'rate', '--metric', 'valid/rms');
    expect(grouped.stderr).toContain('warren: no run has a metric "valid/rms". Did you mean "valid/rmse"?');
  });

  it('refuses wrong parameters before anything is queued', async () => {
    const before = await json('ls', '--json');
    const { code, stderr } = await warren(...QUICK, '--set', 'epochs=-1');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^warren: --set epochs: /);
    expect(await json('ls', '--json')).toHaveLength(before.length);
  });

  it('lists runs by filter, order and columns', async () => {
    const runs = await json('ls', 'tag = quick and seed > 1', '--order', '-metric.test/ndcg@10', '--json');
    expect(runs).toHaveLength(2);
    expect(runs[0].metrics['test/ndcg@10']).toBeGreaterThanOrEqual(runs[1].metrics['test/ndcg@10']);
    const { stdout } = await warren(
      'ls',
      'tag = quick',
      '--columns',
      'number,seed,config.epochs,config.dataset.name,test/ndcg@10',
      '--limit',
      '1',
    );
    const [head, row, end] = stdout.split('\n');
    expect(head!.split(/ {2,}/)).toEqual(['NUMBER', 'SEED', 'epochs', 'dataset.name', 'test/ndcg@10']);
    expect(row).toMatch(/^ +#\d+ +\d +5 +generated\/markov-small +0\.\d+$/);
    expect(end).toBe('');
  });

  it('points at the place in a wrong filter', async () => {
    const { code, stderr } = await warren('ls', 'seed >> 1');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^warren: filter, column \d+: /);
  });

  it('shows a run with its metrics, events and log', async () => {
    const [run] = await json('ls', 'tag = quick and seed = 1', '--json');
    const { stdout } = await warren('show', String(run.number));
    for (const part of [run.id, 'succeeded', 'epochs', 'test/ndcg@10', 'Attempts', 'Events', 'item-embeddings.npy']) {
      expect(stdout).toContain(part);
    }
    const shown = await json('show', run.id, '--json');
    expect(shown.metrics.find((metric: { name: string }) => metric.name === 'train/loss').pointCount).toBe(5);
    expect((await warren('show', String(run.number), '--logs')).code).toBe(0);
    expect((await warren('show', '999999')).stderr).toMatch(/^warren: there is no run 999999/);
  });

  it('compares replicates as mean and spread', async () => {
    const runs = await json('ls', 'tag = quick', '--json');
    const numbers = runs.map((run: { number: number }) => String(run.number));
    const others = await json(...QUICK, '--set', 'dimension=8', '--seeds', '1-2', '--wait', '--json');
    const compare = ['compare', ...numbers, ...others.map((run: { number: number }) => String(run.number))];
    const { stdout, code } = await warren(...compare, '--paired', 'test/ndcg@10,train/loss');
    expect(code).toBe(0);
    expect(stdout).toMatch(/dimension/);
    expect(stdout).toMatch(/0\.\d{4} ± 0\.\d{4} \(3\)/);
    expect(stdout).toContain('*');
    expect(stdout).toMatch(/test\/ndcg@10, higher is better, against #/);
    expect(stdout).toMatch(/ 2 +0\.\d{4} +0\.\d{4} +[+-]\S+ +[+-]\S+ to [+-]\S+ +-?\d+\.\d\d \(1\) +0\.\d{4}/);
    const misspelled = await warren(...compare, '--metrics', 'test/ndgc@10');
    expect(misspelled.stderr).toMatch(/no run has a metric "test\/ndgc@10"\. Did you mean "test\/ndcg@10"/);
    expect((await warren('compare', '--paired', ...numbers)).stderr).toContain('put the runs before it');

    const compared = await json(...compare, '--per-user', '--baseline', String(others[0].number), '--json');
    const [{ name, baselineHash, tests }] = compared.pairedTests;
    expect(name).toBe('test/ndcg@10');
    const [test] = tests;
    const means = (hash: string) =>
      compared.groups
        .find((group: { configuration: { hash: string } }) => group.configuration.hash === hash)
        .metrics.find((metric: { name: string }) => metric.name === name).mean;
    expect(test.n).toBeGreaterThan(50);
    expect(test.seeds).toEqual([1, 2, 3]);
    expect(test.mean).toBeCloseTo(means(test.configurationHash), 12);
    expect(test.baselineMean).toBeCloseTo(means(baselineHash), 12);
    expect(test.test.difference).toBeCloseTo(test.mean - test.baselineMean, 10);
  });

  it('exports every point, as JSON lines and as CSV', async () => {
    const { stdout } = await warren('export', '--filter', 'tag = quick');
    const runs = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(runs).toHaveLength(3);
    for (const run of runs) expect(run.metrics['train/loss'].steps).toEqual([1, 2, 3, 4, 5]);
    const file = join(home, 'points.csv');
    expect((await warren('export', '--filter', 'tag = quick', '--format', 'csv', '--output', file)).code).toBe(0);
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    expect(lines.filter((line) => line.includes('train/loss'))).toHaveLength(15);
    expect((await warren('export', '--filter', 'seed >>')).code).toBe(2);
  });

  it('cancels a run while it runs, and takes it up again', async () => {
    const run = await json(...LONG, '--json');
    const state = () => stateOf(run.id);
    await waitUntil('the run to run', async () => (await state()) === 'RUNNING');
    expect((await warren('retry', String(run.number))).code).toBe(2);
    expect((await warren('cancel', String(run.number))).stdout).toContain('cancelled');
    const asked = Date.now();
    await waitUntil('the run to end', async () => (await state()) === 'CANCELLED');
    expect(Date.now() - asked).toBeLessThan(8_000 * slowness());
    expect((await warren('retry', String(run.number))).stdout).toContain('queued again');
    await warren('cancel', String(run.number));
    await waitUntil('the run to end', async () => (await state()) === 'CANCELLED');
  });

  it('stops waiting on Ctrl-C and lets the run go on', async () => {
    const command = startWarren([...LONG, '--wait'], environment);
    await waitUntil('the run to run', () => command.stderr().includes('running'));
    command.child.kill('SIGINT');
    expect((await command.ended).code).toBe(130);
    const number = /warren cancel (\d+)/.exec(command.stderr())?.[1] ?? '';
    expect((await json('show', number, '--json')).state).toBe('RUNNING');
    await warren('cancel', number);
  });

  it('does nothing, and says so, where no run matches the filter of a change', async () => {
    for (const name of ['cancel', 'delete']) {
      for (const more of [[], ['--yes']]) {
        const { code, stdout, stderr } = await warren(name, '--filter', 'tag = nobody', ...more);
        expect([code, stdout, stderr]).toEqual([0, '', 'warren: no run matches the filter: nothing to do\n']);
      }
    }
    expect(await json('cancel', '--filter', 'tag = nobody', '--json')).toMatchObject({ changedIds: [] });
  });

  it('says that an export is empty, and which commands there are after a wrong word', async () => {
    expect(await warren('export', '--filter', 'tag = nobody')).toMatchObject({
      ...{ code: 0, stdout: '', stderr: 'warren: no run matches the filter\n' },
    });
    expect(await warren('sweep', 'start')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^warren: unknown command 'start'; warren sweep has create, show, ls, /),
    });
    expect((await warren('token', 'create')).stderr).toBe(
      "warren: missing required argument 'name'; write warren token create [options] <name>\n",
    );
  });

  it('makes, lists and revokes tokens', async () => {
    const made = await warren('token', 'create', 'laptop', '--role', 'read', '--days', '2');
    expect(made.stdout).toMatch(/^warren_\S{40,}\n$/);
    expect((await warren('token', 'create', 'laptop')).code).toBe(2);
    expect((await warren('token', 'ls')).stdout).toMatch(/laptop +READ/);
    expect((await warren('token', 'revoke', 'laptop')).code).toBe(0);
    expect((await warren('token', 'ls')).stdout).toContain('revoked');
  });

  it('finds the schema newest, and everything healthy', async () => {
    expect((await json('migrate', 'status', '--json')).pending).toEqual([]);
    expect((await warren('migrate', 'apply')).stdout).toContain('nothing to apply');
    expect((await warren('migrate')).stdout).toContain('nothing to apply');
    const { stdout, code } = await warren('doctor');
    expect(stdout).toContain(`answers at ${api.url}`);
    expect(stdout).toMatch(/ok +Workers/);
    expect(code).toBe(0);
  });
});
