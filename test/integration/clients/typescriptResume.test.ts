import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { apiForTests } from '../support/apiForTests.ts';
import { loggedRuns } from '../support/loggedRuns.ts';
import { nodeForTests } from '../support/nodeForTests.ts';
import { pythonForTests } from '../support/pythonForTests.ts';
import { startShell } from '../support/runShell.ts';

const api = await apiForTests();
const { runOf, history } = loggedRuns(api);
const { run, start, folder } = nodeForTests({ WARREN_API_URL: api.url });
const python = pythonForTests({ WARREN_API_URL: api.url });

const sync = (place: string, options = '{}') =>
  run(`for (const { outcome, detail } of await warren.sync('${place}', ${options})) console.log(outcome, detail);`);
const offline = async (place: string, options: string, body: string, variables: Record<string, string> = {}) =>
  await run(
    `
import { writeFileSync } from 'node:fs';
const run = await warren.init({ project: 'mine', mode: 'offline', dir: '${place}', ${options} });
${body}
await warren.finish();
process.stdout.write(run.id);
`,
    variables,
  );

describe('a Node program that goes on with a run', () => {
  it('offline counts on from the steps of the program before it, and all of both is sent', async () => {
    await offline('twice', "id: 'twice', config: { lr: 1 }", 'for (let i = 0; i < 3; i++) run.log({ loss: i });');
    const id = await offline(
      'twice',
      "id: 'twice', resume: 'must', config: { lr: 2, new: 5 }",
      "if (run.step !== 3) throw new Error(run.step);\nrun.log({ loss: 9 }); writeFileSync('w', ''); warren.logArtifact('w');",
    );
    expect(await sync('twice')).toBe('sent \nsent \n');
    expect(await history(id, 'loss')).toEqual({ steps: [0, 1, 2, 3], values: [0, 1, 2, 9] });
    expect(await runOf(id)).toMatchObject({
      state: 'SUCCEEDED',
      configuration: { parameters: { lr: 2, new: 5 } },
      artifacts: [{ name: 'w' }],
    });
    expect(await sync('twice')).toBe('nothing new \nnothing new \n');
  });

  it('knows the seed of the run', async () => {
    const printed = await run(`
await (await warren.init({ project: 'mine', id: 'seeded', config: { lr: 1, seed: 7 } })).finish();
for (const options of [{}, { seed: 8 }]) {
  const run = await warren.init({ project: 'mine', id: 'seeded', resume: 'must', ...options });
  console.log(run.seed);
  await run.finish();
}`);
    expect(printed).toBe('7\n7\n');
  });

  it('offline is sent also where the program before it was cancelled, or had been sent long before', async () => {
    await offline('preempted', "id: 'preempted'", 'run.log({ loss: 0 }); await run.cancel();');
    expect(await sync('preempted')).toBe('sent \n');
    const id = await offline('preempted', "id: 'preempted', resume: 'allow'", 'run.log({ loss: 1 });');
    expect(await sync('preempted')).not.toContain('refused');
    expect(await history(id, 'loss')).toEqual({ steps: [0, 1], values: [0, 1] });
    expect(await runOf(id)).toMatchObject({ state: 'SUCCEEDED' });
  });

  it('offline is sent, too, from another machine after the end, and leaves the run ended as it was', async () => {
    await offline('first', "id: 'nodes'", "run.log({ 'loss/0': 0 });\nawait run.finish({ error: 'no memory' });");
    await sync('first');
    const id = await offline('second', "id: 'nodes'", "run.log({ 'loss/1': 1 });", { RANK: '1' });
    expect(await sync('second')).not.toContain('refused');
    expect(await history(id, 'loss/1')).toEqual({ steps: [0], values: [1] });
    expect(await runOf(id)).toMatchObject({ state: 'FAILED', error: { message: 'no memory' } });
  });

  it('goes on with a run that succeeded, knows its parameters, and records those that it adds', async () => {
    const id = await run(`
const first = await warren.init({ project: 'mine', id: 'evaluated', config: { lr: 1, net: { width: 8 } } });
first.log({ loss: 1 });
await first.finish();
const run = await warren.init({ project: 'mine', id: 'evaluated', resume: 'allow', config: { lr: 2, split: 'test' } });
console.log(JSON.stringify(run.config.all()));
run.log({ 'test/loss': 2 });
await run.finish();
console.log(run.id);
`);
    const parameters = { lr: 2, net: { width: 8 }, split: 'test' };
    expect(JSON.parse(id.split('\n')[0]!)).toEqual(parameters);
    expect(await runOf(id)).toMatchObject({ state: 'SUCCEEDED', configuration: { parameters } });
    const found = await runOf(id);
    expect(await history(found.id, 'test/loss')).toEqual({ steps: [1], values: [2] });
  });

  it('offline is sent from the shell, too, where it is told what is wrong', async () => {
    const id = await offline('shell', '', 'run.log({ loss: 0 });');
    const client = builtFile('clients/warren.mjs');
    const shell = async (line: string) => await startShell(`node '${client}' ${line}`, {}, folder).ended;
    expect(await shell(`sync shell elsewhere --server ${api.url} --project shells`)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^shell\/warren-runs\/.*\.jsonl: sent to http:\/\/[^ ]*\/runs\/\d+\n$/),
    });
    expect(await runOf(id)).toMatchObject({ state: 'SUCCEEDED', project: { name: 'shells' } });
    expect(await shell('sync elsewhere')).toMatchObject({ code: 2, stderr: 'warren: no journal in elsewhere\n' });
    const usage = { code: 2, stderr: expect.stringContaining('usage: node warren.mjs') };
    for (const wrong of ['sync --to x', 'agent', 'agent 4 --count many'])
      expect(await shell(wrong)).toMatchObject(usage);
    const away = await shell('sync shell --server http://127.0.0.1:9');
    expect(away).toMatchObject({ code: 1, stderr: expect.stringContaining('does not answer') });
  });

  it('branches off from a run: with its points up to a step, and its parameters', async () => {
    const printed = await run(`
const parent = await warren.init({ project: 'mine', id: 'parent', config: { lr: 1, width: 8 } });
for (let i = 0; i < 10; i++) parent.log({ loss: i });
await parent.finish();
const fork = await warren.init({ project: 'mine', config: { lr: 2 }, forkFrom: 'parent?_step=4' });
console.log(JSON.stringify(fork.config.all()), fork.step);
fork.log({ loss: -1 });
await fork.finish();
for (const wrong of [{ forkFrom: 'parent' }, { forkFrom: '1?_step=2', resume: 'allow' }, { forkFrom: '999?_step=2' }]) {
  await warren.init({ project: 'mine', ...wrong }).catch(({ message }) => console.log(message));
}
console.log(fork.id);
`);
    const [begun, ...told] = printed.trim().split('\n');
    expect(begun).toBe('{"lr":2,"width":8} 5');
    expect(told.slice(0, 3)).toEqual([
      "forkFrom: 'parent' is not of the form 'RUN?_step=N'",
      'forkFrom: a fork is a new run, so it does not go with resume',
      expect.stringMatching(/^forkFrom: .*999/),
    ]);
    const { id, configuration } = await runOf(printed);
    expect(configuration.parameters).toEqual({ lr: 2, width: 8 });
    expect(await history(id, 'loss')).toEqual({ steps: [0, 1, 2, 3, 4, 5], values: [0, 1, 2, 3, 4, -1] });
  });

  it.skipIf(python === null)(
    'finds the run of a Python program by the same name, and the other way round',
    async () => {
      const id = await python!.run(
        'import warren\nr = warren.init(project="mine", id="shared", save_code=False)\nr.log({"loss": 1}); r.finish()\nprint(r.id, end="")',
      );
      const resumed = await run(
        "const run = await warren.init({ project: 'mine', id: 'shared', resume: 'must' });\nrun.log({ loss: 2 });\nprocess.stdout.write(run.id);",
      );
      expect(resumed).toBe(id);
      expect(await history(id, 'loss')).toEqual({ steps: [0, 1], values: [1, 2] });
      await offline('away', "id: 'kept'", 'run.log({ loss: 0 });');
      const step = await python!.run(
        `import warren\nr = warren.init(project="mine", id="kept", mode="offline", resume="must", dir="${folder}/away")\nprint(r.step)`,
      );
      expect(step.trim()).toBe('1');
    },
  );

  it('lets the processes of one job write into one run, which the first one ends', async () => {
    const rank = (number: number) =>
      run(
        `const run = await warren.init({ project: 'mine', id: 'job-7' });
for (let step = 0; step < 50; step++) run.log({ ['rank' + process.env.RANK + '/loss']: step });
await warren.finish();
process.stdout.write(run.id);`,
        { RANK: String(number) },
      );
    const [id] = await Promise.all([1, 2].map(rank));
    expect(await runOf(id!)).toMatchObject({ state: 'RUNNING' });
    await rank(0);
    const { state, metrics } = await runOf(id!);
    expect([state, metrics.map(({ pointCount }: { pointCount: number }) => pointCount)]).toEqual([
      'SUCCEEDED',
      [50, 50, 50],
    ]);
  });

  it('sends all of an offline run to another server, too, and says what is lost with a damaged journal', async () => {
    const printed = await run(`
import { readFileSync, writeFileSync, rmSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
const run = await warren.init({ project: 'mine', mode: 'offline', dir: 'torn' });
for (let step = 0; step < 100; step++) run.log({ loss: step });
writeFileSync('weights', '');
run.logArtifact('weights');
await run.finish();
const folder = join('torn', 'warren-runs', run.id);
const [journal] = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
const lines = readFileSync(join(folder, journal), 'utf8').split('\\n');
lines[50] = '\\0'.repeat(20);
writeFileSync(join(folder, journal), lines.join('\\n'));
for (const name of readdirSync(folder)) if (!name.endsWith('.jsonl')) rmSync(join(folder, name));
writeFileSync(join(folder, journal + '.sent'), JSON.stringify({ offset: 9999, created: true, server: 'https://elsewhere.example' }));
console.log(run.id);
`);
    expect(await sync('torn', "{ project: 'elsewhere' }")).toMatch(
      /^sent .*lost: 1; these files went to https:\/\/elsewhere\.example alone: weights\n/,
    );
    const metrics = [{ name: 'loss', pointCount: 99 }];
    expect(await runOf(printed)).toMatchObject({ state: 'SUCCEEDED', project: { name: 'elsewhere' }, metrics });
    // the same server under another address
    expect(await sync('torn', `{ server: '${api.url.replace('127.0.0.1', 'localhost')}' }`)).toContain('nothing new');
  });
});

describe('a Node program is told', () => {
  it('what is wrong before training begins', async () => {
    const wrong = [
      ["await warren.init({ mode: 'sideways' })", "mode: 'sideways' is not one of online, offline, disabled"],
      ["await warren.init({ resume: 'maybe' })", "resume: 'maybe' is not one of 'allow', 'must', 'never'"],
      ["await warren.init({ id: 'never-made', resume: 'must' })", 'resume: there is no run never-made'],
      ["await warren.init({ id: '1', resume: 'must' })", 'Numbers of runs are no ids: api().run("1") tells the id'],
      ['await warren.init({ config: [1, 2] })', 'config: an object is wanted, not a list'],
      ['await warren.init({ seed: 1.5 })', 'seed: 1.5 is not a whole number from 0 to 2^31 - 1'],
      ["await warren.init({ server: 'localhost:4680' })", "server: 'localhost:4680' is not an address such as"],
      ["await warren.init({ project: 'x'.repeat(1000) })", 'the server refuses the run: '],
      ['warren.log({ loss: 1 })', 'init() must be called first'],
      [
        "(await warren.init({ mode: 'offline' })).log('loss')",
        'log: an object of names and numbers, such as { loss: 0.3 }, is wanted, not a string',
      ],
      [
        "(await warren.init({ mode: 'offline' })).defineMetric('a', { goal: 'up' })",
        "defineMetric: goal 'up' is not one of minimize, maximize",
      ],
    ];
    const told = wrong.map(async ([call, message]) => {
      const { code, stderr } = await start(`${call};`).ended;
      expect([code, stderr], call).toEqual([1, expect.stringContaining(message!)]);
    });
    await Promise.all(told);
  });

  it('of a level that there is not, at once, and other lines are kept; Python’s words are understood', async () => {
    const printed = await run(`
const run = await warren.init({ project: 'mine', console: false });
for (const call of [() => run.logText('x', 'loud'), () => warren.alert('x', '', 'loud')]) {
  try { call(); } catch (error) { console.log(error.message); }
}
warren.logText('one\\r\\ntwo\\n', 'WARNING');
warren.alert('three', '', 'FATAL');
await warren.finish();
console.log(run.id);
`);
    const [logged, raised] = printed.split('\n');
    expect(logged).toBe("logText: level 'loud' is not one of debug, info, warn, error");
    expect(raised).toBe("alert: level 'loud' is not one of debug, info, warn, error");
    const { id } = await runOf(printed);
    const { logs } = await api.ok('query ($id: ID!) { logs(runId: $id) { lines { text level } } }', { id });
    expect(logs.lines).toEqual([
      ...['one', 'two'].map((text) => ({ text, level: 'warn' })),
      { text: 'three', level: 'error' },
    ]);
  });

  it('once that what it logs after the end of the run is recorded nowhere', async () => {
    const { code, stderr, stdout } = await start(`
const run = await warren.init({ project: 'mine', name: 7, tags: 'baseline', colour: 'red' });
await run.finish();
run.log({ loss: 1 });
run.config.update({ lr: 1 });
run.logArtifact('nowhere');
console.log(run.id);
`).ended;
    expect([code, stderr.match(/^warren: (?!run ).*$/gm)]).toEqual([
      0,
      [
        'warren: init: ignores colour',
        'warren: log: the run has ended, so that nothing is recorded: init() begins another',
      ],
    ]);
    expect(await runOf(stdout)).toMatchObject({ name: '7', tags: ['baseline'], metrics: [] });
  });

  it('of names and tags that are cut, and keeps what parameters are made of', async () => {
    const { stderr, stdout } = await start(`
const tags = ['', ' a ', 'a', 't'.repeat(150), ...Array(60).keys()];
class Settings { rate = 0.5; }
const config = { layers: new Float32Array([1, 2]), settings: new Settings(), when: new Date(0), seen: new Set(['x']) };
const run = await warren.init({ project: 'mine', name: ' ' + 'n'.repeat(300), tags, config });
await warren.finish();
console.log(run.id);
`).ended;
    expect(stderr.match(/^warren: init: .*$/gm)).toEqual([
      'warren: init: the name is cut after 200 of 300 characters',
      `warren: init: a tag is cut after 100 of 150 characters: ${'t'.repeat(40)} …`,
      'warren: init: a run has at most 50 tags: the last 12 are left out',
    ]);
    const { name, tags, configuration } = await runOf(stdout);
    expect([name, tags.length, ...tags.slice(0, 3)]).toEqual(['n'.repeat(200), 50, 'a', 't'.repeat(100), '0']);
    expect(configuration.parameters).toEqual({
      ...{ layers: [1, 2], settings: { rate: 0.5 }, when: '1970-01-01T00:00:00.000Z', seen: ['x'] },
    });
  });

  it('which records the server refused, and where they are', async () => {
    writeFileSync(join(folder, 'refused.mjs'), '');
    const { stderr } = await start(`
const run = await warren.init({ project: 'mine', dir: 'refusing' });
run.log({ ['x'.repeat(2000)]: 1 });
run.log({ ['y'.repeat(2000)]: 1 });
await warren.finish();
`).ended;
    const [first, all] = stderr.match(/^warren: the server refuse.*$/gm) ?? [];
    const file = /\(kept in (.*)\)$/.exec(first ?? '')?.[1] ?? '';
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(2);
    expect(all).toBe(`warren: the server refused 2 records in all: ${file} has them, with the reasons`);
  });
});
