import { join } from 'node:path';
import { expect, it } from 'vitest';
import { builtFile } from '#src/lib/projectRoot.ts';
import { runsReach } from '../runtime/runFacts.ts';
import { commandsForTests } from './commandsForTests.ts';

const { api, db, token, queue, startWorker, linesOf } = await commandsForTests();
const NODE_CLIENT = JSON.stringify(join(builtFile('clients'), 'warren.mjs'));

const worker = startWorker();
const shown = async ({ id }: { id: string }, fields: string) => {
  const bearer = { authorization: `Bearer ${token}` };
  return (await api.graphql(`{ run(id: "${id}") { ${fields} } }`, {}, bearer)).data.run;
};

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
