import { expect, test } from 'vitest';
import { type Told, tellingParameters } from '#src/runs/command/tellingParameters.ts';

const run = (kind: string, name: string, parameters: Record<string, unknown>): Told => ({
  name,
  configuration: { kind, parameters },
});
const told = async (...runs: Told[]) => await tellingParameters(runs);

test('parameters in which programs of one name differ tell their runs apart', async () => {
  const grid = [1, 2].map((c) => run('external', 'grid', { model: 'svc', C: c, net: { depth: c } }));
  expect(await told(...grid)).toEqual(['C', 'net.depth']);
  expect(await told(...grid, run('external', 'other', { model: 'tree' }))).toEqual(['C', 'net.depth']);
  expect(await told(run('external', 'a', { x: 1 }), run('external', 'a', {}))).toEqual(['x']);
});

test('trials of a sweep have one name, and a command’s own members are no parameters', async () => {
  const trial = (number: number) =>
    run('command', `mine · trial ${number}`, { command: ['train', String(number)], folder: '', lr: number });
  expect(await told(trial(1), trial(2), trial(3))).toEqual(['lr']);
});

test('at most three are told, those of most runs first; runs of Warren’s own kinds have them in their names', async () => {
  const wide = [1, 2].map((value) => run('external', 'wide', { a: value, b: value, c: value, d: value }));
  const many = [1, 2, 3].map((value) => run('external', 'many', { d: value }));
  expect(await told(...wide, ...many)).toEqual(['d', 'a', 'b']);
  expect(await told(run('mf-bpr', 'x', { a: 1 }), run('mf-bpr', 'x', { a: 2 }))).toEqual([]);
});
