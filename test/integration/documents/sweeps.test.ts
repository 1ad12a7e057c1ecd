import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseSweepFile } from '#src/sweeps/search/parseSweepFile.ts';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { closeDatabase, openDatabase } from '#src/base/platform/postgres/database.ts';
import { issueToken } from '#src/people/apiTokens.ts';
import { startProgram } from '../runtime/testWorkers.ts';
import { apiForTests } from '../support/apiForTests.ts';
import { documentForTests } from '../support/documentBlocks.ts';
import { pythonForTests } from '../support/pythonForTests.ts';
import { runShell } from '../support/runShell.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const document = documentForTests('sweeps.md');
const api = await apiForTests();
const folder = temporaryFolder();
const file = join(folder, 'sweep.yaml');
const small = { 'amazon-beauty': 'generated/markov-small' };
const yaml = document.take('file', { 'run_cap: 12': 'run_cap: 8' });
const create = document.take('create', { ...small, 'sweep.yaml': file });
const show = document.take('show');
const early = document.take('early', {
  'dataset: ml-100k': 'dataset: generated/markov-small',
  'trials: 40': 'trials: 4',
  'epochs: { value: 27 }': 'epochs: { value: 200 }\n  dimension: { value: 8 }\n  maximumLength: { value: 10 }',
});
const createEarly = document.take('create-early', { 'early.yaml': join(folder, 'early.yaml') });
const options = document.take('options', small);
const agent = document.take('agent', { 'warren.agent(number, train)': 'print(number, warren.agent(number, train))' });
const agentNode = document
  .take('agent-node', { 'await warren.agent(': 'console.log(number, await warren.agent(' })
  .trim();
const readBack = document.take('sweep-read');
const python = pythonForTests({ WARREN_API_URL: api.url });
const command = document.take('command', { '-- python3': '--no-code -- python3' });
const change = document.take('change');
const confirm = document.take('confirm', { '--seeds 3': '--seeds 2' });
const conditions = document.take('conditions');
const graphql = document.take('api');
const variables = { WARREN_API_URL: api.url, WARREN_HOME: folder };

it('runs a sweep file of W&B to its end, shows it, and confirms the best trial', async () => {
  writeFileSync(file, yaml);
  const { url: DATABASE_URL } = api.postgres;
  const worker = await startProgram(builtFile('worker.js'), { ...variables, DATABASE_URL, WARREN_SLOTS: '2' });
  expect(await runShell(create, variables)).toMatch(/Sweep #1: neighbours finished: all 8 trials were drawn/);
  const shown = await runShell(show, variables);
  expect(shown).toMatch(/finished +neighbours +tpe +item-knn +8\/8/);
  expect(shown).toMatch(/OBJECTIVE +EPOCHS +neighbours +shrinkage/);
  expect(shown).toMatch(/sweep +#1 neighbours, trial 0/);
  expect(shown).toMatch(/importance: (neighbours|shrinkage) [01]\.\d\d, (neighbours|shrinkage) [01]\.\d\d/);
  expect(await runShell(confirm, variables)).toMatch(/test\/ndcg@10.*\(2\)/);
  expect(await runShell(show, variables)).toMatch(/on fresh seeds: 0\.\d+ ± \d\S* \(2\), #\d+ #\d+/);
  writeFileSync(join(folder, 'early.yaml'), early);
  expect(await runShell(createEarly, variables)).toMatch(
    /all 4 trials were drawn.*\d pruned.*pruned +0\.\d+ at (3|9|27)/s,
  );
  await worker.stop();
}, 180_000);

it('starts a sweep from options, changes it, and cancels it', async () => {
  expect(await runShell(options, variables)).toMatch(/sweep #3 tpe over mf-bpr: running, 4 of 20 trials, 4 running/);
  const db = openDatabase(api.postgres.url);
  const { token } = await issueToken({ db }, { name: 'commands', role: 'WRITE', mayQueueCommands: true });
  await closeDatabase(db);
  expect(await runShell(command, { ...variables, WARREN_TOKEN: token })).toMatch(
    /sweep #4 tpe over train.py: running, 2 of 20 trials/,
  );
  const lines = (await runShell(change, variables)).trim().split('\n');
  expect(lines).toEqual([
    expect.stringMatching(/paused, 4 of 20 trials/),
    expect.stringMatching(/paused, 4 of 30 trials/),
    expect.stringMatching(/running, 8 of 30 trials/),
    expect.stringMatching(/cancelled, 8 of 30 trials, 8 cancelled/),
  ]);
});

it.skipIf(python === null)('sweeps over a function of Python', async () => {
  const [counted = '', read = '', confirmed = ''] = (await python!.run(`${agent}${readBack}`)).trim().split('\n');
  const [number, trials] = counted.split(' ');
  expect(trials).toBe('8');
  expect(read).toMatch(/^finished \{'lr': 0\.\d+, 'layers': [123]\} 0\.\d+ http.*\/runs\/\d+$/);
  expect(JSON.parse(confirmed)).toHaveLength(2);
  const again = `npm run -s warren -- sweep confirm ${number} --seeds 1`;
  const waits = `seed 4 waits for agents (warren.agent("${number}", function))`;
  expect(await runShell(again, variables)).toContain(`sweep ${number}: ${waits}`);
  expect(JSON.parse(await runShell(`${again} --json`, variables))).toMatchObject({ untakenSeeds: [4, 5] });
  const shown = await runShell(`npm run -s warren -- sweep show ${number}`, variables);
  expect(shown).toContain('(2), seeds 4, 5 wait for agents');
  const { sweep } = await api.ok('query ($id: ID!) { sweep(id: $id) { state best { objective } } }', { id: number });
  expect(sweep).toMatchObject({ state: 'FINISHED', best: { objective: expect.any(Number) } });
});

it('sweeps over a function of Node', async () => {
  copyFileSync(builtFile('clients/warren.mjs'), join(folder, 'warren.mjs'));
  writeFileSync(join(folder, 'agent.mjs'), agentNode.replace(/;$/, ');'));
  const [number, trials] = (await runShell('node agent.mjs', variables, folder)).trim().split(' ');
  expect(trials).toBe('8');
  const { sweep } = await api.ok('query ($id: ID!) { sweep(id: $id) { state best { objective } } }', { id: number });
  expect(sweep).toMatchObject({ state: 'FINISHED', best: { objective: expect.any(Number) } });
});

it('draws conditional parameters, and answers GraphQL', async () => {
  const create =
    'mutation Create($file: JSON!) { createSweep(input: { file: $file }) { sweep { counts { planned } } } }';
  const { createSweep } = await api.ok(create, { file: parseSweepFile(conditions, 'conditions.yaml') });
  expect(createSweep.sweep.counts.planned).toBe(8);
  expect((await api.ok(graphql)).createSweep).toMatchObject({
    warnings: [],
    sweep: { counts: { total: 4, planned: 8 } },
  });
});
