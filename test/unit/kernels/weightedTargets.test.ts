import { expect, test } from 'vitest';
import type { NearestRows } from '../../../workers/kernels/nearestRows.ts';
import { boundaryTieFraction } from '../../../workers/kernels/nearestRows.ts';
import { emptyWeightedTargets, weightedTargets } from '../../../workers/kernels/weightedTargets.ts';

const nearest: NearestRows = {
  count: 4,
  rows: Int32Array.of(2, 0, 3, 1, 1, -1, -1, -1),
  values: Float64Array.of(3, 2, 1, 1, 5, 0, 0, 0),
  matchedPairs: 0,
  distinctPatterns: 0,
};
const targets = Uint32Array.of(7, 8, 9, 9);

function scores(query: number, k: number, duplicates: 'sum' | 'assign'): Record<string, number> {
  const found = weightedTargets(nearest, query, { k, targets, duplicates, into: emptyWeightedTargets(k) });
  return Object.fromEntries(Array.from(found.items.subarray(0, found.size), (item, at) => [item, found.scores[at]!]));
}

test('sum adds the values of neighbours with one target, assign keeps the nearest', () => {
  expect(scores(0, 3, 'sum')).toEqual({ 9: 4, 7: 2 });
  expect(scores(0, 3, 'assign')).toEqual({ 9: 3, 7: 2 });
});

test('only the first k vote, and fewer where there are fewer', () => {
  expect(scores(0, 1, 'sum')).toEqual({ 9: 3 });
  expect(scores(1, 3, 'sum')).toEqual({ 8: 5 });
});

test('a boundary tie needs a next row with the same value', () => {
  expect(boundaryTieFraction(nearest, 3)).toBe(0.5);
  expect(boundaryTieFraction(nearest, 2)).toBe(0);
});
