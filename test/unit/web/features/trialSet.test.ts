import { expect, test } from 'vitest';
import type { SweepParameter } from '#web/features/sweeps/useSweep.ts';
import { shortTitles, trialLabel } from '#web/features/sweeps/trialLabel.ts';
import { trialSet } from '#web/features/sweeps/trialSet.ts';
import { sortTrials, trialTableColumns } from '#web/features/sweeps/trialTableColumns.ts';
import type { TrialColumns } from '#web/features/sweeps/trialColumns.ts';

const objectives: TrialColumns['objectives'] = [0.2, null, 'NaN', 0.5, 0.3];
const COLUMNS: TrialColumns = {
  numbers: [0, 1, 2, 3, 4],
  states: ['SUCCEEDED', 'PRUNED', 'SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED'],
  objectives,
  errors: [null, null, null, null, null],
  rungs: [null, 3, null, null, null],
  rungValues: [null, 0.1, null, null, null],
  parameters: [
    { path: 'optimizer.learningRate', values: [0.001, 0.01, 0.1, 0.0123456, 0.5] },
    { path: 'optimizer.method', values: ['adam', 'sgd', 'adam', 'adam', 'sgd'] },
  ],
  runs: {
    trials: [0, 3, 3],
    ids: ['a', 'b', 'c'],
    numbers: [7, 8, 9],
    seeds: [1, 1, 2],
    states: ['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED'],
    values: [0.2, 0.4, 0.6],
  },
};
const none = { constant: false, minimum: null, maximum: null, values: null };
const PARAMETERS: SweepParameter[] = [
  { ...none, path: 'optimizer.learningRate', scale: 'LOGARITHMIC', minimum: 0.001, maximum: 0.1 },
  { ...none, path: 'optimizer.method', scale: 'CATEGORY', values: ['adam'] },
  { ...none, path: 'epochs', scale: 'CATEGORY', constant: true, values: [3] },
];
const METRIC = { name: 'valid/ndcg@10', goal: 'maximize', target: null, summary: 'last' } as const;
const set = trialSet(COLUMNS, PARAMETERS, METRIC);

test('what varies has an axis that holds all values, also those of an earlier search space', () => {
  expect(set.parameters.map(({ title }) => title)).toEqual(['learningRate', 'method']);
  expect(set.parameters[0]?.places[0]).toBe(0);
  expect(set.parameters[0]?.places[4]).toBe(1);
  expect([...set.parameters[1]!.places]).toEqual([0.25, 0.75, 0.25, 0.25, 0.75]);
});

test('records, colours and places follow the objective; a trial that was stopped early stands where it came to', () => {
  expect(set.records).toEqual([0, 3]);
  expect([...set.goodness]).toEqual([0, Number.NaN, Number.NaN, 1, 0.5]);
  expect(set.objective.places[1]).toBeLessThan(set.objective.places[0]!);
  expect(set.objective.places[2]).toBeNaN();
});

test('trials are sorted with those without a value last, either way', () => {
  const columns = trialTableColumns(set, [1, 2]);
  expect(columns.map(({ title }) => title)).toEqual([
    'Trial',
    'State',
    'valid/ndcg@10',
    'learningRate',
    'method',
    'seed 1',
    'seed 2',
  ]);
  expect(sortTrials(set, columns, { column: 'objective', descending: true })).toEqual([3, 4, 0, 1, 2]);
  expect(sortTrials(set, columns, { column: 'objective', descending: false })).toEqual([0, 4, 3, 1, 2]);
  expect(sortTrials(set, columns, { column: 'seed 1', descending: true })).toEqual([3, 0, 1, 2, 4]);
  expect(trialTableColumns(set, [1]).at(-1)?.title).toBe('Run');
});

test('a trial whose objective is infinite comes after all with a finite one, whichever way is better', () => {
  const diverged = trialSet({ ...COLUMNS, objectives: [0.2, null, '-Infinity', 0.5, 'Infinity'] }, PARAMETERS, METRIC);
  const columns = trialTableColumns(diverged, [1]);
  expect(sortTrials(diverged, columns, { column: 'objective', descending: true })).toEqual([3, 0, 4, 2, 1]);
  expect(sortTrials(diverged, columns, { column: 'objective', descending: false })).toEqual([0, 3, 2, 4, 1]);
});

test('a trial is named by what varies, four significant digits, paths as short as they are clear', () => {
  expect(trialLabel(set.parameters, 3)).toBe('learningRate 0.01235 · method adam');
  expect(shortTitles(['init.scale', 'optimizer.scale', 'epochs'])).toEqual(['init.scale', 'optimizer.scale', 'epochs']);
});
