import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { apiForTests } from '../support/apiForTests.ts';
import { loggedRuns } from '../support/loggedRuns.ts';
import { nodeForTests } from '../support/nodeForTests.ts';
import { pythonForTests } from '../support/pythonForTests.ts';
import { startShell } from '../support/runShell.ts';
import { waitUntil } from '../support/waitUntil.ts';

const api = await apiForTests({ externalLeases: { withHeartbeats: 5, withoutHeartbeats: 900 } });
const { logTexts } = loggedRuns(api);
const { run, start, folder } = nodeForTests({ WARREN_API_URL: api.url });
const python = pythonForTests({ WARREN_API_URL: api.url });

const client = builtFile('clients/warren.mjs');

const SWEEP = `query ($id: ID!) { sweep(id: $id) { state best { objective } untakenConfirmations confirmations { seed tags configuration { parameters } }
  counts { total running succeeded failed cancelled pruned planned }
  trials(first: 100) { number point state objective error
    runs { id name seed state tags error { message } metrics { name } configuration { parameters } } } } }`;

const sweepOf = async (id: string | number) => (await api.ok(SWEEP, { id: String(id) })).sweep;

/** Starts a sweep over values of x, and answers its number. */
async function sweepOver(values: readonly number[], more: Record<string, unknown> = {}): Promise<number> {
  const file = { kind: 'external', method: 'grid', metric: { name: 'loss' }, parameters: { x: { values } }, ...more };
  const made = await api.ok('mutation ($file: JSON!) { createSweep(input: { file: $file }) { sweep { number } } }', {
    file,
  });
  return made.createSweep.sweep.number;
}

describe('sweeps over functions of Node', () => {
  it('calls the function with what was drawn over its own parameters, and with the run of the trial', async () => {
    const printed = await run(`
const id = await warren.sweep({
  method: 'bayes', name: 'own function', metric: { goal: 'minimize', name: 'score' }, run_cap: 6,
  parameters: { x: { max: 0.9, min: 0.1 }, y: { values: [1, 3, 7] }, net: { parameters: { width: { value: 8 } } } },
}, { project: 'my-first-sweep' });
async function train(config, run) {
  run.config.update({ y: 99, later: true });
  if (config.net.depth !== 2 || config.net.width !== 8) throw new Error(JSON.stringify(config));
  warren.log({ score: config.x ** 3 + run.config.get('y') });
}
const options = { config: { x: 5, batch: 32, net: { depth: 2 } }, tags: ['mine'] };
console.log(await warren.agent(id, train, { count: 2, ...options }), await warren.agent('project/' + id, train, options), id);
`);
    const [first, second, id] = printed.trim().split(' ');
    expect([first, second]).toEqual(['2', '4']);
    const { trials, ...sweep } = await sweepOf(id!);
    expect(sweep).toMatchObject({ state: 'FINISHED', counts: { total: 6, succeeded: 6, planned: 6 } });
    for (const { number, point, state, objective, runs } of trials) {
      expect(objective).toBeCloseTo(point.x ** 3 + point.y, 12);
      expect({ state, runs }).toMatchObject({
        state: 'SUCCEEDED',
        runs: [{ name: `own function · trial ${number}`, seed: 1, state: 'SUCCEEDED', tags: ['mine'] }],
      });
      const parameters = { x: point.x, y: point.y, batch: 32, later: true, net: { width: 8, depth: 2 } };
      expect(runs[0].configuration.parameters).toEqual(parameters);
    }
  });

  it('gives every point of a grid to one of two agents, with each seed, also where the function calls init', async () => {
    const id = await sweepOver([1, 2, 3, 4], { seeds: 2 });
    const agent = `
const train = async () => {
  const run = await warren.init({ config: { batch: 8 } });
  warren.log({ loss: run.config.get('x') + run.seed / 10 });
};
console.log(await warren.agent(${id}, train));`;
    const counts = await Promise.all([run(agent), run(agent)]);
    expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBe(8);
    const { state, trials } = await sweepOf(id);
    expect(state).toBe('FINISHED');
    for (const { point, objective, runs } of trials) {
      expect(objective).toBeCloseTo(point.x + 0.15, 12);
      expect(runs.map(({ seed }: { seed: number }) => seed)).toEqual([1, 2]);
      expect(runs[0].configuration.parameters).toEqual({ x: point.x, batch: 8 });
    }
  });

  it('gives the trial of a killed agent to another one', async () => {
    const id = await sweepOver([1, 2]);
    const victim = start(`
await warren.agent(${id}, async (config, run) => {
  run.log({ loss: 1 });
  await new Promise((done) => setTimeout(done, 600_000));
});`);
    await waitUntil('its first loss', async () => (await sweepOf(id)).trials[0]?.runs[0]?.metrics.length === 1);
    victim.child.kill('SIGKILL');
    await victim.ended;
    await waitUntil('the crash', async () => (await sweepOf(id)).trials[0].runs[0].state === 'CRASHED', 20_000);
    expect(await sweepOf(id)).toMatchObject({ state: 'RUNNING', trials: [{ state: 'RUNNING' }] });
    const done = await run(
      `console.log(await warren.agent(${id}, (config, run) => run.log({ loss: config.x * 10 })));`,
    );
    expect(done.trim()).toBe('2');
    expect(await sweepOf(id)).toMatchObject({
      state: 'FINISHED',
      trials: [
        { state: 'SUCCEEDED', objective: 10, runs: [{}, { state: 'SUCCEEDED' }] },
        { state: 'SUCCEEDED', objective: 20, runs: [{ state: 'SUCCEEDED' }] },
      ],
    });
  });

  it('stops a hopeless trial early, whether or not its function awaits, and goes on with the next', async () => {
    const early = { metric: { name: 'loss', goal: 'minimize' } };
    const id = await sweepOver([1, 2, 3], {
      ...early,
      early_terminate: { type: 'median', min_iter: 2, min_trials: 1 },
    });
    const { stdout, stderr } = await start(`
import { setTimeout as sleep } from 'node:timers/promises';
const done = await warren.agent(${id}, async ({ x }, run) => {
  for (let step = 0; step < (x === 1 ? 3 : 10_000); step++) {
    run.log({ loss: step < 5 ? x : 100 });
    if (x === 2) for (const until = Date.now() + 50; Date.now() < until; );
    else await sleep(x === 3 && step > 10 ? 600_000 : 20, undefined, { signal: run.signal });
  }
});
console.log(done);`).ended;
    expect([stdout.trim(), stderr]).toEqual(['3', expect.stringMatching(/trial 1 was stopped.*trial 2 was stopped/s)]);
    const { trials, counts } = await sweepOf(id);
    expect(counts).toMatchObject({ succeeded: 1, pruned: 2 });
    expect(trials[1].runs).toMatchObject([{ state: 'PRUNED' }]);
  });

  it('counts a function that throws, sooner or later, as failed, and goes on', async () => {
    const id = await sweepOver([0, 1, 2, 3, 4]);
    const { stderr, stdout, code } = await start(`
import { setTimeout as sleep } from 'node:timers/promises';
console.log(await warren.agent(${id}, (config, run) => {
  if (config.x === 0) throw new TypeError('no such layer');
  if (config.x === 1) return sleep(10).then(() => { throw 'out of data'; });
  if (config.x === 2) return run.finish({ exitCode: 3 });
  if (config.x === 4) run.log({ loss: 4 });
}));`).ended;
    expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: '5' });
    expect(stderr).toContain('TypeError: no such layer\n    at');
    const { trials } = await sweepOf(id);
    expect(trials.map(({ state }: { state: string }) => state)).toEqual([
      ...['FAILED', 'FAILED', 'FAILED', 'FAILED', 'SUCCEEDED'],
    ]);
    expect(trials[3].error).toBe('it reported no loss');
    const messages = trials.map(
      ({ runs }: { runs: { error: { message: string } | null }[] }) => runs[0]?.error?.message,
    );
    expect(messages.slice(0, 3)).toEqual(['TypeError: no such layer', 'out of data', 'exit code 3']);
  });

  it('waits while the sweep is paused, and ends when it is cancelled, at any moment', async () => {
    const id = await sweepOver([1, 2, 3]);
    await api.ok(`mutation { pauseSweep(id: "${id}") { id } }`);
    const agent = start(`
await warren.agent(${id}, async (config, run) => {
  for (;;) {
    run.log({ loss: 1 });
    await new Promise((done) => setTimeout(done, 50));
  }
});`);
    await waitUntil('its word', () => agent.stderr().includes(`sweep ${id} is paused`));
    await api.ok(`mutation { resumeSweep(id: "${id}") { id } }`);
    await waitUntil('what it logs', async () => (await sweepOf(id)).trials[0]?.runs[0].metrics.length > 0);
    await api.ok(`mutation { cancelSweep(id: "${id}") { id } }`);
    expect(await agent.ended).toMatchObject({ code: 0, stderr: expect.stringContaining('has no more trials') });
    expect(await sweepOf(id)).toMatchObject({ state: 'CANCELLED', trials: [{ state: 'CANCELLED' }] });
  });

  it('cancels the trial under way on Ctrl-C, and ends', async () => {
    const id = await sweepOver([1, 2]);
    const agent = start(`
await warren.agent(${id}, async (config, run) => {
  run.log({ loss: 1 });
  await new Promise((done) => setTimeout(done, 600_000));
});`);
    await waitUntil('what it logs', async () => (await sweepOf(id)).trials[0]?.runs[0].metrics.length > 0);
    agent.child.kill('SIGINT');
    await agent.ended;
    expect(agent.child.signalCode).toBe('SIGINT');
    expect((await sweepOf(id)).trials).toMatchObject([{ state: 'CANCELLED', runs: [{ state: 'CANCELLED' }] }]);
  });

  it('confirms the best trial with fresh seeds, which the next agent takes first', async () => {
    const id = await sweepOver([3, 1, 2], { seeds: [4] });
    const agent = `console.log(await warren.agent(${id}, ({ x }, run) => run.log({ loss: x + run.seed / 100 })));`;
    expect((await run(agent)).trim()).toBe('3');
    await api.ok('mutation ($id: ID!) { confirmSweep(id: $id, seeds: 2) { number } }', { id: String(id) });
    expect((await sweepOf(id)).untakenConfirmations).toEqual([5, 6]);
    expect([await run(agent), await run(agent)].map(Number)).toEqual([2, 0]);
    const { confirmations } = await sweepOf(id);
    expect(confirmations).toEqual(
      [5, 6].map((seed) => ({ seed, tags: ['confirm'], configuration: { parameters: { x: 1 } } })),
    );
  });

  it('executes the program that a sweep names, and programs find their trial, whatever language the agent is of', async () => {
    writeFileSync(
      join(folder, 'train.mjs'),
      `import * as warren from '${client}';
const run = await warren.init({ config: { lr: 7, batch: 2 } });
run.log({ loss: run.config.get('lr') * 2 });
run.logText(process.argv.slice(3).join(' '));
`,
    );
    const command = ['node', join(folder, 'train.mjs'), '--lr={lr}', `--at=\${envvar:HERE}`, `\${envvar:NOT_SET}`];
    const sweeps = [0, 1].map(() => sweepOver([], { command, parameters: { lr: { values: [0.5, 0.25] } } }));
    const [ofNode, ofPython] = await Promise.all(sweeps);
    expect(
      (await startShell(`node '${client}' agent ${ofNode}`, { WARREN_API_URL: api.url, HERE: '/data' }, folder).ended)
        .code,
    ).toBe(0);
    if (python !== null) await python.run(`import warren\nwarren.agent("${ofPython}")`);
    const [first] = (await sweepOf(ofNode!)).trials[0].runs;
    expect(await logTexts(first.id)).toEqual(['--at=/data NOT_SET']);
    for (const id of python === null ? [ofNode!] : [ofNode!, ofPython!]) {
      const { state, trials } = await sweepOf(id);
      expect([state, trials.map(({ objective }: { objective: number }) => objective)]).toEqual(['FINISHED', [1, 0.5]]);
      expect(trials[0].runs).toMatchObject([{ configuration: { parameters: { lr: 0.5, batch: 2 } } }]);
    }
  });

  it('says what is wrong with a sweep', async () => {
    const own = await sweepOver([1]);
    const said = await run(`
const workers = { method: 'random', run_cap: 1, kind: 'item-knn', dataset: 'generated/markov-small',
  metric: { name: 'valid/ndcg@10' }, parameters: { neighbours: { min: 10, max: 20 } } };
for (const ask of [
  () => warren.sweep({ method: 'random', parameters: {} }),
  () => warren.sweep('sweep.yaml'),
  () => warren.agent(999, () => {}),
  () => warren.agent(${own}),
  async () => warren.agent(await warren.sweep(workers), () => {}),
  () => Promise.all([1, 2].map(() => warren.agent(${own}, (config, run) => run.log({ loss: 1 })))),
]) await ask().catch(({ message }) => console.log(message));`);
    expect(said.trim().split('\n')).toEqual([
      expect.stringContaining('parameters: expected at least one parameter'),
      'sweep: an object is wanted, not a string',
      expect.stringContaining('there is no sweep 999'),
      expect.stringContaining('names no program: give a function'),
      expect.stringContaining('workers execute the trials of sweep'),
      'agent: one is at work in this program already: start another program for another one',
    ]);
  });
});
