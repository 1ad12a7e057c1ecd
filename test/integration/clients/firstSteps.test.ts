import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import {
  type FirstStep,
  pythonEmbeddings,
  pythonModel,
  pythonRun,
  pythonSweep,
  pythonUse,
} from '#web/features/shared/firstSteps.ts';
import { apiForTests } from '../support/apiForTests.ts';
import { pythonForTests } from '../support/pythonForTests.ts';
import { startShell } from '../support/runShell.ts';

const api = await apiForTests();
const python = pythonForTests();
const hasNumpy = spawnSync('python3', ['-c', 'import numpy']).status === 0;

describe.skipIf(python === null || spawnSync('curl', ['--version']).status !== 0)('what empty pages propose', () => {
  const execute = async ({ command }: FirstStep) => {
    const { code, stderr } = await startShell(command, {}, python!.folder).ended;
    expect(code, stderr).toBe(0);
  };

  test('makes a run in the project that is looked at, whatever its name', async () => {
    await execute(pythonRun(api.url, `ada's "first"`));
    const { runs } = await api.ok(
      `query ($project: String) { runs(project: $project) { edges { node { name state } } } }`,
      { project: `ada's "first"` },
    );
    expect(runs.edges).toEqual([{ node: { name: 'halving', state: 'SUCCEEDED' } }]);
  });

  test('makes a sweep of eight trials', async () => {
    await execute(pythonSweep(api.url, null));
    const { sweeps } = await api.ok('{ sweeps(project: "first") { state trialColumns { numbers } } }');
    expect(sweeps).toMatchObject([{ state: 'FINISHED' }]);
    expect(sweeps[0].trialColumns.numbers).toHaveLength(8);
  });

  test('registers a model, which the line of its page downloads', async () => {
    await execute(pythonModel(api.url));
    const { command } = pythonUse('ranker@best');
    expect(await python!.run(`${command}\nprint(open(path).read(), end="")`, { WARREN_API_URL: api.url })).toBe(
      'weights',
    );
  });

  test.skipIf(!hasNumpy)('leaves embeddings with their items', async () => {
    await execute(pythonEmbeddings(api.url));
    const { runs } = await api.ok(
      '{ runs(project: "first", filter: "name = vectors") { edges { node { artifacts { name } } } } }',
    );
    expect(runs.edges[0].node.artifacts.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['item-embeddings.npy', 'items.csv']),
    );
  });
});
