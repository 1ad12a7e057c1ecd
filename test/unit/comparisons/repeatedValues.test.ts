import { expect, it } from 'vitest';
import { environmentDifferences } from '#src/comparisons/comparedEnvironments.ts';
import { repeatingFields } from '#src/comparisons/repeatedValues.ts';

const rates = [0.0020852855962479704, 0.004808201175978199];
const fields = [
  { path: 'parameters.lr', values: rates },
  { path: 'parameters.dropout', values: [0.1, 0.2] },
  { path: 'seed', values: [1, 2] },
];
const pathsOf = (...environments: Record<string, unknown>[]) =>
  environmentDifferences(environments, fields).map(({ path }) => path);
const command = (run: number, ...more: string[]) => ({
  config: { lr: rates[run], dropout: [0.1, 0.2][run] },
  arguments: ['--lr', String(rates[run]), `dropout=${['1e-1', '0.20'][run]}`, '--seed', String(run + 1), ...more],
});

it('a drawn value of a program is told once, not again by its arguments and what it logs as config', () => {
  expect(pathsOf(command(0), command(1))).toEqual([]);
});

it('arguments and config stay where they differ in something else', () => {
  expect(pathsOf(command(0, '--fast'), command(1)), 'another length').toEqual(['arguments']);
  expect(pathsOf(command(0, 'a.yaml'), command(1, 'b.yaml')), 'another word').toEqual(['arguments']);
  expect(pathsOf({ arguments: ['--lr', '0.1'] }, { arguments: ['--dropout', '0.2'] }), 'another name').toEqual([
    'arguments',
  ]);
  expect(pathsOf({ arguments: ['0.1'] }, { arguments: ['0.1', '2'] })).toEqual(['arguments']);
  expect(pathsOf({ config: { lr: 0.5 } }, { config: { lr: rates[1] } }), 'not the value that was given').toEqual([
    'config.lr',
  ]);
  expect(pathsOf({ config: { width: 1 } }, { config: { width: 2 } })).toEqual(['config.width']);
});

it('what a program added is left out where it repeats a given parameter under another name', () => {
  const given = [...fields, { path: 'parameters.batchSize', values: [16, 32] }];
  const added = [
    { path: 'parameters.optimizer.learning_rate', values: rates },
    { path: 'parameters.batch_size', values: [16, 32] },
    { path: 'parameters.width', values: [16, 32] },
    { path: 'parameters.depth', values: [1, 3] },
  ];
  const isQueued = (path: string) => given.some((one) => one.path === path);
  expect([...repeatingFields([...given, ...added], isQueued)]).toEqual([
    'parameters.optimizer.learning_rate',
    'parameters.batch_size',
  ]);
});
