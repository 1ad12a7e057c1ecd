import { expect, test } from 'vitest';
import { leaveOneOut } from '#workers/data/split/leaveOneOut.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { coOccurrences, LowerCounts } from '#workers/models/coOccurrences.ts';
import { incidence } from '#workers/models/incidence.ts';
import { datasetOf } from '../data/dataFiles.ts';

const ITEMS = 90;
const HELD_OUT = 2;

test.each([
  ['many shared users', 40],
  ['few shared users', 5],
])('pairs of items are counted as by their definition: %s', (_, length) => {
  const generator = randomGenerator(9, 'co-occurrences');
  const sequences = Array.from({ length: 30 }, () => Array.from({ length }, () => generator.nextInt(ITEMS)));
  const training = leaveOneOut(datasetOf(sequences, ITEMS));
  const met = sequences.map((sequence) => new Set(sequence.slice(0, length - HELD_OUT)));
  const expected = Float64Array.from({ length: ITEMS * ITEMS }, (_, at) => {
    const [row, column] = [Math.floor(at / ITEMS), at % ITEMS];
    return met.filter((items) => items.has(row) && items.has(column)).length;
  });
  expect(coOccurrences(training)).toEqual(expected);

  const visited = new Float64Array(ITEMS * ITEMS);
  const lower = new LowerCounts(incidence(training));
  for (let item = 0; item < ITEMS; item++) {
    lower.visitNext((row, column, common) => {
      expect(visited[row * ITEMS + column]).toBe(0);
      visited[row * ITEMS + column] = common;
    });
  }
  const strictlyLower = expected.map((count, at) => (at % ITEMS < Math.floor(at / ITEMS) ? count : 0));
  expect(visited).toEqual(strictlyLower);
});
