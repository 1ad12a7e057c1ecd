import { expect, test } from 'vitest';
import { topNMetrics } from './topNMetrics.ts';

test('a perfect list of two true items', () => {
  expect(topNMetrics([3, 1, 2], [0, 2], 2)).toEqual({ hr: 1, precision: 1, recall: 1, f1: 1, mrr: 1, ndcg: 1, map: 1 });
});

test('a user without true items, one given twice, and an item that is not scored are refused', () => {
  expect(() => topNMetrics([1, 2], [], 1)).toThrow(/at least one/);
  expect(() => topNMetrics([1, 2], [1, 1], 1)).toThrow(/twice/);
  expect(() => topNMetrics([1, 2], [2], 1)).toThrow(/among the 2/);
  expect(() => topNMetrics([1, 2], [0], 0)).toThrow(/positive integer/);
});

test('average precision is the mean of the precisions at the hits, over what the list could hold', () => {
  // ranks 1 2 3 4 are items 4 3 2 1; true are 4, 2 and 0, of which a list of four holds two
  const { map } = topNMetrics([0, 1, 2, 3, 4], [4, 2, 0], 4);
  expect(map).toBeCloseTo((1 + 2 / 3) / 3, 12);
  expect(topNMetrics([0, 1, 2, 3, 4], [4, 2, 0], 2).map).toBeCloseTo(1 / 2, 12);
});
