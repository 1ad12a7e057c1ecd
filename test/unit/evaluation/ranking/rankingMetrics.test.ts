import { expect, test } from 'vitest';
import { rankingMetrics } from '#workers/evaluation/ranking/rankingMetrics.ts';

test('means over users of reciprocal rank, discounted gain and hits, cut off at N', () => {
  const metrics = rankingMetrics(Int32Array.of(1, 3, 7, 0), [5, 10]);
  expect(metrics['mrr@5']).toBeCloseTo((1 + 1 / 3) / 4, 12);
  expect(metrics['ndcg@5']).toBeCloseTo((1 + 1 / 2) / 4, 12);
  expect(metrics['hr@5']).toBe(0.5);
  expect(metrics['mrr@10']).toBeCloseTo((1 + 1 / 3 + 1 / 7) / 4, 12);
  expect(metrics['ndcg@10']).toBeCloseTo((1 + 1 / 2 + 1 / 3) / 4, 12);
  expect(metrics['hr@10']).toBe(0.75);
});

test('a rank equal to the cut-off is a hit, one more is not, 0 never is', () => {
  expect(rankingMetrics(Int32Array.of(5), [5])['hr@5']).toBe(1);
  expect(rankingMetrics(Int32Array.of(6), [5])['hr@5']).toBe(0);
  expect(rankingMetrics(Int32Array.of(0), [5])['hr@5']).toBe(0);
});

test('a cut-off that is not a positive integer is refused', () => {
  expect(() => rankingMetrics(Int32Array.of(1), [0])).toThrow(/positive integer, got 0/);
});
