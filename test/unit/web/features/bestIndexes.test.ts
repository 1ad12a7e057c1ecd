import { expect, test } from 'vitest';
import { bestIndexes } from '#web/lib/bestIndexes.ts';

test('the best value by direction, ties and gaps', () => {
  expect(bestIndexes([1, 3, 2], 'higher')).toEqual(new Set([1]));
  expect(bestIndexes([1, 3, 1], 'lower')).toEqual(new Set([0, 2]));
  expect(bestIndexes([null, Number.NaN, 2, 1], 'higher')).toEqual(new Set([2]));
});

test('no best without a direction, or without a choice', () => {
  expect(bestIndexes([1, 2], null)).toEqual(new Set());
  expect(bestIndexes([1, null], 'higher')).toEqual(new Set());
});
