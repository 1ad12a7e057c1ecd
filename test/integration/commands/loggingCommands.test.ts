import { join } from 'node:path';
import { expect, it } from 'vitest';
import { builtFile } from '#src/lib/projectRoot.ts';
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
