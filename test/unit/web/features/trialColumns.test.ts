import { expect, test } from 'vitest';
import { mergeTrials, type TrialColumns } from '#web/features/sweeps/trialColumns.ts';

const columns = (numbers: number[], objective: number | null, path = 'a'): TrialColumns => ({
  numbers,
  states: numbers.map(() => (objective === null ? 'RUNNING' : 'SUCCEEDED')),
  objectives: numbers.map(() => objective),
  errors: numbers.map(() => null),
  rungs: numbers.map(() => null),
  rungValues: numbers.map(() => null),
  parameters: [{ path, values: numbers }],
  runs: {
    trials: numbers,
    ids: numbers.map(String),
    numbers: numbers.map((number) => number + 100),
    seeds: numbers.map(() => 1),
    states: numbers.map(() => 'QUEUED'),
    values: numbers.map(() => objective),
  },
});

test('trials that are read anew replace the last ones, and new ones follow', () => {
  const merged = mergeTrials(columns([0, 1, 2], null), columns([1, 2, 3], 0.5));
  expect(merged.numbers).toEqual([0, 1, 2, 3]);
  expect(merged.objectives).toEqual([null, 0.5, 0.5, 0.5]);
  expect(merged.runs.numbers).toEqual([100, 101, 102, 103]);
  expect(merged.parameters).toEqual([{ path: 'a', values: [0, 1, 2, 3] }]);
});

test('a parameter that only some trials have is null in the others; nothing read changes nothing', () => {
  const merged = mergeTrials(columns([0, 1], 1, 'a'), columns([2], 1, 'b'));
  expect(merged.parameters).toEqual([
    { path: 'a', values: [0, 1, null] },
    { path: 'b', values: [null, null, 2] },
  ]);
  expect(mergeTrials(merged, columns([], 1))).toBe(merged);
});
