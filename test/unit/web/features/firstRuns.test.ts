import { expect, it } from 'vitest';
import { tellingPaths } from '#web/features/runs/firstRuns.ts';

const run = (name: string, parameters: Record<string, unknown>) => ({
  name,
  configuration: { hash: name, kind: 'command', datasetName: null, dataset: null, parameters },
});
const paths = ['parameters.command', 'parameters.lr'];

it('the command is a column without a word only where names and parameters do not tell runs apart', () => {
  const [train, tune] = [
    ['python', 'train.py'],
    ['python', 'tune.py'],
  ];
  expect(tellingPaths([run('train', { command: train }), run('tune', { command: tune })], paths)).toEqual([]);
  const drawn = [run('mine', { command: train, lr: 0.1 }), run('mine', { command: tune, lr: 0.2 })];
  expect(tellingPaths(drawn, paths)).toEqual(['parameters.lr']);
  expect(tellingPaths([run('mine', { command: train }), run('mine', { command: tune })], paths)).toEqual([
    'parameters.command',
  ]);
  expect(tellingPaths([run('mine', { command: train }), run('mine', { command: train })], paths)).toEqual([]);
});
