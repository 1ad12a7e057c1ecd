import { expect, test } from 'vitest';
import { topNMetrics } from '../../../workers/evaluation/topNMetrics.ts';

test('a perfect list of two true items', () => {
  expect(topNMetrics([3, 1, 2], [0, 2], 2)).toEqual({ hr: 1, precision: 1, recall: 1, f1: 1, mrr: 1, ndcg: 1 });
});

test('a user without true items, one given twice, and an item that is not scored are refused', () => {
  expect(() => topNMetrics([1, 2], [], 1)).toThrow(/at least one/);
  expect(() => topNMetrics([1, 2], [1, 1], 1)).toThrow(/twice/);
  expect(() => topNMetrics([1, 2], [2], 1)).toThrow(/among the 2/);
  expect(() => topNMetrics([1, 2], [0], 0)).toThrow(/positive integer/);
});
