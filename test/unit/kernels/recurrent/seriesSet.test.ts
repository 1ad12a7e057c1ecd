import { expect, test } from 'vitest';
import { joinSteps, seriesSet, seriesVectors } from '#workers/kernels/recurrent/seriesSet.ts';

test('joined steps keep the order of their numbers, and zeros before a series fill up its first step', () => {
  const joined = joinSteps(seriesSet([[1, 2, 3, 4, 5], [6, 7, 8], [9]]), 3);
  expect(joined.dimension).toBe(3);
  expect(seriesVectors(joined, 0)).toEqual([
    [0, 1, 2],
    [3, 4, 5],
  ]);
  expect(seriesVectors(joined, 1)).toEqual([[6, 7, 8]]);
  expect(seriesVectors(joined, 2)).toEqual([[0, 0, 9]]);
});

test('steps of several numbers are joined one after the other', () => {
  const joined = joinSteps(seriesSet([[1, 2, 3, 4, 5, 6]], 2), 2);
  expect(joined.dimension).toBe(4);
  expect(seriesVectors(joined, 0)).toEqual([
    [0, 0, 1, 2],
    [3, 4, 5, 6],
  ]);
});
