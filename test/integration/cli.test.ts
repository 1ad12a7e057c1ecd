import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { processesOf } from './support/processesOf.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';
import { type RunningUp, runWarren, startUp, startWarren } from './support/warrenCommand.ts';
import { waitUntil } from './support/waitUntil.ts';

const DATASET = 'generated/markov-small';
const QUICK = ['run', 'mf-bpr', '--dataset', DATASET, '--set', 'epochs=5', '--set', 'evaluateEvery=1'];
const LONG = ['run', 'mf-bpr', '--dataset', 'generated/markov-large', '--set', 'epochs=100000'];

describe('without any services', () => {
  const home = join(temporaryFolder(), 'home');
  const environment = { WARREN_HOME: home };
  const warren = (...parameters: string[]) => runWarren(parameters, environment);

  it('explains itself', async () => {
    const { code, stdout } = await warren('--help');
    expect(code).toBe(0);
    for (const name of 'up api worker run sweep kinds ls show cancel retry compare export data clean token doctor migrate demo'.split(
      ' ',
    )) {
      expect(stdout).toMatch(new RegExp(`^  ${name} .*\\w+`, 'm'));
    }
    expect((await warren('run', '--help')).stdout).toContain('Usage: warren run');
  });

  it.each([
    [['runn'], "unknown command 'runn' (Did you mean run?)"],
    [['run', 'mf-bpr', '--locl'], "unknown option '--locl' (Did you mean --local?)"],
    [['run', 'mf-bpp', '--local'], 'there is no kind "mf-bpp". Did you mean "mf-bpr"?'],
    [['run', 'external', '--local'], 'runs of kind external are logged by other programs'],
    [['run', 'mf-bpr', '--local'], 'dataset: kind mf-bpr needs one'],
    [['run', 'mf-bpr', '--dataset', DATASET, '--local', '--set', 'epochs=many'], 'parameters.epochs'],
    [['run', 'mf-bpr', '--dataset', 'nowhere', '--local'], 'dataset "nowhere" was not found'],
    [['run', 'mf-bpr', '--seeds', '5-1'], '--seeds: the range "5-1" runs backwards'],
    [['show', 'twelve'], '"twelve" is not a run'],
    [['up', '--port', 'eighty'], '--port: expected a whole number'],
  ])('answers %j with one line and exit code 2', async (parameters, words) => {
    const { code, stdout, stderr } = await warren(...parameters);
    const line = stderr.split('\n').find((text) => text.startsWith('warren: '));
    expect(line).toContain(words);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  it('says how to start an API where none answers, with exit code 3', async () => {
    const { code, stderr } = await runWarren(['ls'], { ...environment, WARREN_API_URL: 'http://127.0.0.1:9' });
    expect(stderr).toBe(
      'warren: no Warren answers at http://127.0.0.1:9: start one with `warren up`, or set WARREN_API_URL to where one runs\n',
    );
    expect(code).toBe(3);
  });

  it.each([
    [['run', 'sasrek', '--dataset', DATASET], 'there is no kind "sasrek". Did you mean "sasrec"?'],
    [['run', 'mf-bpr', '--dataset', DATASET, '--set', 'epochs=many'], 'parameters.epochs'],
  ])('says what is wrong with %j also where no API answers', async (parameters, words) => {
    const { code, stderr } = await runWarren(parameters, { ...environment, WARREN_API_URL: 'http://127.0.0.1:9' });
    expect(stderr).toContain(words);
    expect(stderr).not.toContain('no Warren answers');
    expect(code).toBe(2);
  });

  it('executes a run with --local and prints one JSON object, the same for the same seed', async () => {
    const results = await Promise.all(
      [1, 1, 2].map(async (seed) => {
        const { code, stdout } = await warren(...QUICK, '--local', '--json', '--seed', String(seed));
        expect(code).toBe(0);
        return JSON.parse(stdout);
      }),
    );
    const [first, again, other] = results;
    expect(Object.keys(first)).toEqual(
      expect.arrayContaining([
        'kind',
        'dataset',
        'seed',
        'config',
        'metrics',
        'timings',
        'peakRssMb',
        'backend',
        'device',
        'fingerprint',
        'notes',
      ]),
    );
    expect(first).toMatchObject({ kind: 'mf-bpr', dataset: DATASET, seed: 1, config: { epochs: 5 } });
    expect(first.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(first.timings.load).toBeGreaterThan(0);
    expect(first.peakRssMb).toBeGreaterThan(10);
    const quality = (result: { metrics: Record<string, number> }) =>
      Object.entries(result.metrics).filter(([name]) => !name.startsWith('time/'));
    expect(quality(first).map(([name]) => name)).toContain('test/ndcg@10');
    expect(quality(again)).toEqual(quality(first));
    expect(quality(other)).not.toEqual(quality(first));
  });

  it('answers several seeds with an array, and leaves artifacts under the home', async () => {
    const { stdout } = await warren(...QUICK, '--local', '--json', '--seeds', '1-2');
    expect(JSON.parse(stdout).map((result: { seed: number }) => result.seed)).toEqual([1, 2]);
    const table = await warren(...QUICK, '--local');
    expect(table.stdout).toMatch(/test\/ndcg@10 ↑ +0\.\d{4}/);
    const folder = /Artifacts: (.+)/.exec(table.stdout)?.[1] ?? '';
    expect(existsSync(join(folder, 'item-embeddings.npy'))).toBe(true);
    const points = readFileSync(join(folder, 'points.csv'), 'utf8').trim().split('\n');
    expect(points[0]).toBe('metric,step,value,time');
    expect(points.filter((line) => line.startsWith('train/loss,'))).toHaveLength(5);
    const next = ['run', 'sasrec', '--dataset', DATASET, '--local', '--set', 'epochs=1', '--set', 'init.method=input'];
    const given = await warren(...next, '--input', `item-embeddings=${join(folder, 'item-embeddings.npy')}`);
    expect(given.stdout).toMatch(/test\/ndcg@10/);
    expect((await warren(...next, '--input', 'item-embeddings=nowhere.npy')).stderr).toContain(
      'cannot read nowhere.npy',
    );
  });

  it('cancels a local run on Ctrl-C and leaves no process behind', async () => {
    const command = startWarren([...LONG, '--local'], environment);
    await waitUntil('the first epoch', () => command.stderr().includes('running'));
    process.kill(-command.child.pid!, 'SIGINT');
    expect((await command.ended).code).toBe(130);
    expect(command.stderr()).toContain('cancelled');
    await waitUntil('the end of its executor', () => processesOf(home).length === 0);
  });

  it('reports on the machine', async () => {
    const { code, stdout } = await warren('doctor', '--json');
    const { healthy, findings } = JSON.parse(stdout);
    expect(findings.filter((finding: { level: string }) => finding.level === 'broken')).toEqual([]);
    expect(healthy).toBe(true);
    expect(code).toBe(0);
    const subjects = findings.map((finding: { subject: string }) => finding.subject);
    expect(subjects).toEqual(
      expect.arrayContaining(['Node', 'PostgreSQL', 'Queue', 'Backend wasm', 'Datasets', 'Disk', 'Memory', 'Address']),
    );
  });

  it('calls a database that does not answer broken, with what to do', async () => {
    const { code, stdout } = await runWarren(['doctor'], {
      ...environment,
      DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/none',
    });
    expect(stdout).toMatch(/BROKEN +PostgreSQL/);
    expect(stdout).toMatch(/→ start it, or correct DATABASE_URL/);
    expect(code).toBe(1);
  });

  it('counts a dataset', async () => {
    const { stdout } = await warren('data', 'show', 'generated/markov-300x120', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ users: 300, items: 120, published: [] });
    expect((await warren('data', 'ls')).stdout).toContain('amazon-beauty');
  });
});

describe('with a running Warren', () => {
  const home = join(temporaryFolder(), 'home');
  const environment = { WARREN_HOME: home };
  const warren = (...parameters: string[]) => runWarren(parameters, environment);
  const json = async (...parameters: string[]) => JSON.parse((await warren(...parameters)).stdout);
  let up: RunningUp;

  beforeAll(async () => {
    up = await startUp(home);
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

  it('refuses wrong parameters before anything is queued', async () => {
    const before = await json('ls', '--json');
    const { code, stderr } = await warren(...QUICK, '--set', 'epochs=-1');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^warren: parameters\.epochs: /);
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
    const state = () => up.stateOf(run.id);
    await waitUntil('the run to run', async () => (await state()) === 'RUNNING');
    expect((await warren('retry', String(run.number))).code).toBe(2);
    expect((await warren('cancel', String(run.number))).stdout).toContain('cancelled');
    const asked = Date.now();
    await waitUntil('the run to end', async () => (await state()) === 'CANCELLED');
    expect(Date.now() - asked).toBeLessThan(8_000);
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
    expect(stdout).toContain(`answers at ${up.url}`);
    expect(stdout).toMatch(/ok +Workers/);
    expect(code).toBe(0);
  });
});
