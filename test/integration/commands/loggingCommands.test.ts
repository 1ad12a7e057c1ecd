import { join } from 'node:path';
import { expect, it } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { pointsOf, runsReach } from '../runtime/runFacts.ts';
import { commandsForTests } from './commandsForTests.ts';

const { api, db, token, queue, startWorker, linesOf } = await commandsForTests();
const NODE_CLIENT = JSON.stringify(join(builtFile('clients'), 'warren.mjs'));

/** The thread that sends never comes to it: what is logged is in the journal alone when the program is gone, from another folder. */
const KILLED_PYTHON = `import os, sys, warren
os.mkdir("outputs")
os.chdir("outputs")
run = warren.init()
run.log({"loss": 1})
sys.setswitchinterval(1000)
for step in range(1, 4):
    run.log({"loss": 1 / (step + 1)})
os.kill(os.getpid(), 9)
`;
const KILLED_NODE = `import(${NODE_CLIENT}).then(async (warren) => {
  process.chdir('/tmp');
  const run = await warren.init();
  for (let step = 0; step < 4; step++) run.log({ loss: 1 / (step + 1) });
  process.kill(process.pid, 'SIGKILL');
})`;
const LOSSES = [1, 1 / 2, 1 / 3, 1 / 4].map((value, step) => ({ step, value }));
const worker = startWorker();
const shown = async ({ id }: { id: string }, fields: string) => {
  const bearer = { authorization: `Bearer ${token}` };
  return (await api.graphql(`{ run(id: "${id}") { ${fields} } }`, {}, bearer)).data.run;
};

it('keeps the last points of a program that is killed right after it logged them', async () => {
  await worker;
  const commands = [
    ['python3', '-c', KILLED_PYTHON],
    ['node', '-e', KILLED_NODE],
  ];
  const queued = await Promise.all(commands.map((command) => queue({ command, seeds: [1], maxAttempts: 1 })));
  for (const run of await runsReach(db, queued.flat())) {
    const why = 'the program was ended by the signal SIGKILL';
    expect(await shown(run, 'state error { message }')).toEqual({ state: 'FAILED', error: { message: why } });
    expect(await pointsOf(db, run.id, 'loss')).toEqual(LOSSES);
    expect((await linesOf(run)).join()).not.toContain('jsonl');
  }
});

it('says that a program uses another seed than the one by which its replicates are told apart', async () => {
  await worker;
  const python = 'import sys, warren; warren.init(config={"seed": int(sys.argv[1])})';
  const node = `import(${NODE_CLIENT}).then((warren) => warren.init({ config: { seed: Number(process.argv[1]) } }))`;
  const commands = ['0', '{seed}'].flatMap((seed) => [
    ['python3', '-c', python, seed],
    ['node', '-e', node, seed],
  ]);
  const queued = await Promise.all(commands.map((command) => queue({ command, seeds: [3] })));
  const told = await Promise.all((await runsReach(db, queued.flat())).map(linesOf));
  const warned = told.map((lines) =>
    lines.filter((line) => line.includes('seed is 0, and the run was queued with seed 3')),
  );
  expect(warned.map(({ length }) => length)).toEqual([1, 1, 0, 0]);
});

it('says that the project which a program names is not the one that its run was queued in', async () => {
  await worker;
  const python = 'import warren; print("in", warren.init(project="mine").project)';
  const node = `import(${NODE_CLIENT}).then((warren) => warren.init({ project: 'mine' }))`;
  const commands = [
    ['python3', '-c', python],
    ['node', '-e', node],
  ];
  const queued = await Promise.all(commands.map((command) => queue({ command, seeds: [1] })));
  const runs = await runsReach(db, queued.flat());
  for (const run of runs) {
    expect(await shown(run, 'project { name }')).toEqual({ project: { name: 'default' } });
    const warned = (await linesOf(run)).filter((line) => line.includes('stays in project default'));
    expect(warned).toEqual([expect.stringContaining('queue it with --project mine')]);
  }
  expect(await linesOf(runs[0]!)).toContain('in default');
});

it('records processor and memory once, and the script without the folder that was made for the attempt', async () => {
  await worker;
  const python = `import time, warren, warren.machine
warren.machine.SAMPLE_SECONDS = 0.1
run = warren.init()
time.sleep(1.5)`;
  const shell = `printf '%s' "$0" > train.py && exec python3 train.py`;
  const [run] = await runsReach(db, await queue({ command: ['sh', '-c', shell, python], seeds: [1] }));
  const series = await db.$queryRaw<{ name: string }[]>`
    SELECT name FROM metric_series WHERE run_id = ${run!.id}::uuid AND name NOT LIKE 'system/gpu%' ORDER BY name`;
  expect(series.map(({ name }) => name)).toEqual(['system/cpu_percent', 'system/memory_mb']);
  expect(await shown(run!, 'environment')).toMatchObject({ environment: { program: 'train.py' } });
});

const ADDING_PYTHON = `import warren
run = warren.init(config={"lr": 0.5, "layers": 2, "net": {"width": 8}})
run.config.update({"depth": 3, "lr": 0.7})
print("lr is", run.config.lr, "batch is", run.config["batch"])
run.log({"loss": run.config.layers})
`;
const ADDING_NODE = `import(${NODE_CLIENT}).then(async (warren) => {
  const run = await warren.init({ config: { lr: 0.5, layers: 4 } });
  run.config.update({ lr: 0.7 });
  console.log('lr is', run.config.get('lr'), 'batch is', run.config.get('batch'));
  run.log({ loss: 4 });
  await run.finish();
})`;

interface Listed {
  number: number;
  configuration: { hash: string; parameters: Record<string, unknown> };
  queued: { hash: string; parameters: Record<string, unknown> };
}

it('holds what the program of a command adds as a parameter like any other, under what was queued', async () => {
  await worker;
  const project = 'adding';
  const added = { project, parameters: { lr: 0.1, batch: 16 } };
  const python = await queue({ command: ['python3', '-c', ADDING_PYTHON, '{lr}', '{batch}'], ...added, seeds: [1, 2] });
  const node = await queue({ command: ['node', '-e', ADDING_NODE, '{lr}', '{batch}'], ...added, seeds: [1] });
  const plain = await queue({ command: ['true', '{layers}'], project, parameters: { layers: 9 }, seeds: [1] });
  const ended = await runsReach(db, [...python, ...node, ...plain]);
  expect(ended.map(({ state }) => state)).toEqual(['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED']);

  for (const run of [python[0]!, node[0]!]) {
    const lines = await linesOf(run);
    expect(lines).toContain('lr is 0.1 batch is 16');
    const told = lines.filter((line) => line.includes('config: lr stays 0.1, as it was queued'));
    expect(told, 'by init and by update').toHaveLength(2);
  }

  const ask = async (query: string, variables: Record<string, unknown> = {}) => {
    const { data, errors } = await api.graphql(query, variables, { authorization: `Bearer ${token}` });
    expect(errors).toEqual([]);
    return data;
  };
  const found = async (filter: string, order = 'number'): Promise<number[]> => {
    const query = `query ($filter: String, $by: String!) { runs(project: "adding", filter: $filter, orderBy: { by: $by, direction: ASC }) {
      edges { node { number } } } }`;
    const { runs } = await ask(query, { filter, by: order });
    return runs.edges.map(({ node: one }: { node: Listed }) => one.number);
  };
  const numbers = ended.map(({ number }) => number);
  expect(await found('config.layers = 2 and config.lr = 0.1')).toEqual(numbers.slice(0, 2));
  expect(await found('config.net.width = 8 and config.depth = 3')).toEqual(numbers.slice(0, 2));
  expect(await found('config.layers >= 4', 'config.layers')).toEqual([numbers[2], numbers[3]]);
  expect(await found('config.lr = 0.5 or config.lr = 0.7')).toEqual([]);
  expect(await found('kind = command and not config.layers = 9')).toEqual(numbers.slice(0, 3));

  const groups = `query ($by: [String!]!) { runGroups(project: "adding", groupBy: $by, metrics: []) { edges { node { runCount values } } } }`;
  const { runGroups } = await ask(groups, { by: ['layers'] });
  const grouped = runGroups.edges.map(({ node: one }: { node: { values: unknown[]; runCount: number } }) => [
    one.values[0],
    one.runCount,
  ]);
  expect(Object.fromEntries(grouped)).toEqual({ 2: 2, 4: 1, 9: 1 });

  const shown = `query ($id: ID!) { run(id: $id) { number configuration { hash parameters } queued: configuration(queued: true) { hash parameters } } }`;
  const { run } = (await ask(shown, { id: python[0]!.id })) as { run: Listed };
  expect(run.configuration.parameters).toMatchObject({ lr: 0.1, batch: 16, layers: 2, net: { width: 8 }, depth: 3 });
  expect(run.queued.parameters).toEqual({ ...run.queued.parameters, lr: 0.1, batch: 16 });
  expect(run.queued.parameters).not.toHaveProperty('layers');
  expect(run.configuration.hash, 'seeds are replicates of what was queued').toBe(run.queued.hash);

  const compared = `query ($ids: [ID!]!) { compareRuns(ids: $ids) { fields { path differs values } } }`;
  const { compareRuns } = await ask(compared, { ids: [python[0]!.id, node[0]!.id] });
  expect(compareRuns.fields.find(({ path }: { path: string }) => path === 'parameters.layers')).toEqual({
    ...{ path: 'parameters.layers', differs: true, values: [2, 4] },
  });
});
