import { expect, test } from 'vitest';
import { type OverlapMeasure, OverlapSearch, overlapIndex } from '#workers/kernels/neighbours/overlapSearch.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';

const ITEMS = 15;

function randomRows(round: number) {
  const generator = randomGenerator(round, 'overlap test');
  const rows = Array.from({ length: 25 }, () =>
    Array.from({ length: 2 + generator.nextInt(6) }, () => generator.nextInt(ITEMS)),
  );
  const starts = new Uint32Array(rows.length);
  let at = 0;
  for (const [row, items] of rows.entries()) {
    starts[row] = at;
    at += items.length;
  }
  const places = {
    items: Uint32Array.from(rows.flat()),
    starts,
    lengths: Uint32Array.from(rows, (row) => row.length - 1),
  };
  return { rows, places, generator };
}

/** Every row with its similarity by the definition, best first. */
function slowNearest(rows: number[][], history: number[], { weight, norm, rowFactor }: OverlapMeasure, ownRow: number) {
  const weights = new Map(history.map((item, at) => [item, weight(history.length - 1 - at)]));
  const squares = [...weights.values()].reduce((sum, w) => sum + w * w, 0);
  return rows
    .map((items, row) => {
      const set = new Set(items);
      const dot = [...weights].reduce((sum, [item, w]) => sum + (set.has(item) ? w : 0), 0);
      const length = Math.sqrt(norm === 'weights' ? squares : history.length) * Math.sqrt(set.size);
      return { row, value: (dot / length) * (rowFactor?.(row) ?? 1) };
    })
    .filter(({ row, value }) => row !== ownRow && value > 0)
    .sort((a, b) => b.value - a.value || a.row - b.row);
}

const MEASURES: [string, OverlapMeasure][] = [
  ['cosine of sets', { weight: () => 1, norm: 'weights', rowFactor: null }],
  [
    'decaying history',
    { weight: (distance) => Math.exp(-distance / 1.7), norm: 'length', rowFactor: (row) => 1 / (1 + row) },
  ],
];

test.each(MEASURES)(
  '%s: the values of the k nearest are those of the definition, the own row left out',
  (_, measure) => {
    for (let round = 0; round < 40; round++) {
      const { rows, places, generator } = randomRows(round);
      const history = Array.from({ length: 1 + generator.nextInt(5) }, () => generator.nextInt(ITEMS));
      const found = new OverlapSearch(overlapIndex(places, ITEMS), 6).nearest(
        { history: Uint32Array.from(history), ownRow: 3 },
        measure,
      );
      const expected = slowNearest(rows, history, measure, 3).slice(0, 6);
      expect(found.values.length).toBe(expected.length);
      for (const [at, { value }] of expected.entries()) expect(found.values[at]).toBeCloseTo(value, 12);
      expect([...found.rows]).not.toContain(3);
    }
  },
);

test('equal values go to the lowest row', () => {
  const places = {
    items: Uint32Array.of(1, 2, 1, 3, 1, 4),
    starts: Uint32Array.of(0, 2, 4),
    lengths: Uint32Array.of(1, 1, 1),
  };
  const search = new OverlapSearch(overlapIndex(places, 5), 2);
  const found = search.nearest({ history: Uint32Array.of(1), ownRow: -1 }, MEASURES[0]![1]);
  expect([...found.rows]).toEqual([0, 1]);
});
