import { expect, test } from 'vitest';
import { bestFirst } from '#src/sweeps/command/showSweep.ts';

const TRIALS = [0.5, null, '-Infinity', 0.2, 'NaN', 'Infinity'].map((objective, number) => ({ number, objective }));

test('trials are listed from the best on; those without a finite objective come after, those without any last', () => {
  const numbers = (goal: string) => bestFirst(TRIALS, goal).map(({ number }) => number);
  expect(numbers('minimize')).toEqual([3, 0, 2, 4, 5, 1]);
  expect(numbers('maximize')).toEqual([0, 3, 2, 4, 5, 1]);
});
