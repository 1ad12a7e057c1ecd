import { expect, test } from 'vitest';
import { bestOfLikeData, dataOf, unlikeWords } from '#web/lib/bestOfLikeData.ts';

const on = (datasetName: string | null, dataset: unknown = {}) => dataOf({ datasetName, dataset });

test('the best stands among those that saw the same data, once for each kind of data', () => {
  const data = [on('beauty'), on('beauty'), on('toys'), on('toys'), on('steam')];
  expect(bestOfLikeData([1, 2, 9, 8, 99], 'higher', data)).toEqual(new Set([1, 2]));
  expect(bestOfLikeData([1, 2, 9, 8, 99], null, data)).toEqual(new Set());
  expect(unlikeWords(data)).toBe('dataset');
});

test('a single one of its data has nothing to be better than', () => {
  const data = [on('beauty', { core: 5 }), on('beauty', { core: 0 })];
  expect(bestOfLikeData([1, 2], 'higher', data)).toEqual(new Set());
  expect(unlikeWords(data)).toBe('core');
});

test('without a value, or a word on its data, nobody sets data apart; where they differ, such a one is not marked', () => {
  expect(bestOfLikeData([1, 2, null], 'higher', [on('beauty'), on('beauty'), on('toys')])).toEqual(new Set([1]));
  expect(bestOfLikeData([1, 2], 'higher', [null, null])).toEqual(new Set([1]));
  expect(bestOfLikeData([1, 2], 'higher', [on('beauty'), null])).toEqual(new Set([1]));
  expect(bestOfLikeData([1, 2, 9, 3], 'higher', [on('beauty'), on('beauty'), null, on('toys')])).toEqual(new Set([1]));
});
