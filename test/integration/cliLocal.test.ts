import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveConfiguration } from '#src/catalog/resolveConfiguration.ts';
import { runLocally } from '#src/runs/command/local/runLocally.ts';
import { readEnvironment } from '#src/base/platform/environment.ts';
import { processesOf } from './support/processesOf.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';
import { runWarren, startWarren } from './support/warrenCommand.ts';
import { waitUntil } from './support/waitUntil.ts';

const DATASET = 'generated/markov-small';
const QUICK = ['run', 'mf-bpr', '--dataset', DATASET, '--set', 'epochs=5', '--set', 'evaluateEvery=1'];
const LONG = ['run', 'mf-bpr', '--dataset', 'generated/markov-large', '--set', 'epochs=100000'];

describe('the command line without any services', () => {
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
    expect((await warren('help', 'sweep', 'show')).stdout).toContain('Usage: warren sweep show');
  });

  it.each([
    [['runn'], "unknown command 'runn' (Did you mean run?)"],
    [['help', 'runn'], "unknown command 'runn' (Did you mean run?)"],
    [['zzz', '--help'], "unknown command 'zzz'; `warren --help` lists them"],
    [['sweep', 'help', 'crate'], "unknown command 'crate' (Did you mean create?)"],
    [['remove'], "unknown command 'remove'; that is warren delete here"],
    [['agent'], "unknown command 'agent'; that is python -m warren agent here"],
    [['run', 'mf-bpr', '--locl'], "unknown option '--locl' (Did you mean --local?)"],
    [['run', 'mf-bpp', '--local'], 'there is no kind "mf-bpp". Did you mean "mf-bpr"?'],
    [['run', 'external', '--local'], 'runs of kind external are logged by other programs'],
    [['run', 'mf-bpr', '--local'], 'dataset: kind mf-bpr needs one'],
    [['run', 'mf-bpr', '--dataset', DATASET, '--local', '--set', 'epochs=many'], '--set epochs: received "many"'],
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
    [['run', 'mf-bpr', '--dataset', DATASET, '--set', 'epochs=many'], '--set epochs: received "many"'],
  ])('says what is wrong with %j also where no API answers', async (parameters, words) => {
    const { code, stderr } = await runWarren(parameters, { ...environment, WARREN_API_URL: 'http://127.0.0.1:9' });
    expect(stderr).toContain(words);
    expect(stderr).not.toContain('no Warren answers');
    expect(code).toBe(2);
  });

  it('executes a run with --local and prints one JSON object, and several seeds as an array, the same for the same seed', async () => {
    const [first, several] = await Promise.all(
      ['1', '1-2'].map(async (seeds) => {
        const { code, stdout } = await warren(...QUICK, '--local', '--json', '--seeds', seeds);
        expect(code).toBe(0);
        return JSON.parse(stdout);
      }),
    );
    expect(several).toMatchObject([{ seed: 1 }, { seed: 2 }]);
    const [again, other] = several;
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

  it('leaves artifacts under the home', async () => {
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

  it('cancels a local run whose executor is only being started', async () => {
    const interruption = new AbortController();
    const [end] = await runLocally({
      configuration: resolveConfiguration({
        kind: 'mf-bpr',
        dataset: 'generated/markov-large',
        parameters: { epochs: 100_000 },
        preset: null,
      }),
      seeds: [1],
      inputs: {},
      environment: readEnvironment({ WARREN_HOME: home }),
      variables: process.env,
      view: { update: () => interruption.abort(), finish: () => {} },
      say: () => {},
      signal: interruption.signal,
    });
    expect(end!.error).toMatchObject({ code: 'CANCELLED' });
    expect(processesOf(home)).toEqual([]);
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
});
