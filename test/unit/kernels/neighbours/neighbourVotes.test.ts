import { expect, test } from 'vitest';
import {
  NeighbourVotes,
  type PredictionFunction,
  type RowPlaces,
  type VoteOptions,
} from '#workers/kernels/neighbours/neighbourVotes.ts';

/** Row 0: 1 2 → 3, row 1: 4 → 3, row 2: 2 5 2 → 6. */
const places: RowPlaces = {
  items: Uint32Array.of(1, 2, 3, 4, 3, 2, 5, 2, 6),
  starts: Uint32Array.of(0, 3, 5),
  lengths: Uint32Array.of(2, 1, 3),
};
const history = Uint32Array.of(9, 2);

function votes(prediction: PredictionFunction, over: Partial<VoteOptions> = {}): Record<string, number> {
  const found = new NeighbourVotes(10).score(
    places,
    { history, neighbours: { rows: Int32Array.of(2, 0, 1, -1), values: Float64Array.of(4, 2, 1, 0) } },
    { prediction, duplicates: 'sum', itemDecay: 2, ...over },
  );
  return Object.fromEntries(Array.from(found.items.subarray(0, found.size), (item, at) => [item, found.scores[at]!]));
}

test('weighted-y: sum adds the values of neighbours with one target, assign keeps the nearest', () => {
  expect(votes('weighted-y')).toEqual({ 6: 4, 3: 3 });
  expect(votes('weighted-y', { duplicates: 'assign' })).toEqual({ 6: 4, 3: 2 });
});

test('equal-item: every item of a neighbour counts once, its target too', () => {
  expect(votes('equal-item')).toEqual({ 6: 4, 2: 6, 5: 4, 1: 2, 3: 3, 4: 1 });
});

test('weighted-item: items fall off around the last common one; neighbours without one give nothing', () => {
  const near = Math.exp(-1 / 2);
  // row 2: common item 2 at place 2 (its last); row 0: at place 1; row 1 has none
  expect(votes('weighted-item')).toEqual({ 6: 4 * near, 2: 4 + 2, 5: 4 * near, 1: 2 * near, 3: 2 * near });
});

test("weighted-item-author: the authors' shifted distances, whatever the value; the other form leaves the target out", () => {
  const [one, two] = [Math.exp(-1 / 2), Math.exp(-2 / 2)];
  expect(votes('weighted-item-author')).toEqual({ 6: 1, 2: one + one, 5: two, 1: two, 3: 1 });
  expect(votes('weighted-item-author-input')).toEqual({ 2: 2, 5: one, 1: one });
});

test('a second query starts from nothing', () => {
  const table = new NeighbourVotes(10);
  const options = { prediction: 'weighted-y', duplicates: 'sum', itemDecay: 1 } as const;
  table.score(places, { history, neighbours: { rows: Int32Array.of(2), values: Float64Array.of(4) } }, options);
  table.score(places, { history, neighbours: { rows: Int32Array.of(0), values: Float64Array.of(1) } }, options);
  expect([...table.items.subarray(0, table.size)]).toEqual([3]);
  expect(table.scores[0]).toBe(1);
});
