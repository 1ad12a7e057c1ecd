import { expect, test } from 'vitest';
import { sharesOf } from '#src/catalog/datasetSelection.ts';
import { globalTime, ratioByTime } from '#workers/data/split/orderedSplit.ts';
import { randomByItem } from '#workers/data/split/randomByItem.ts';
import { randomByUser } from '#workers/data/split/randomByUser.ts';
import { stratifiedFolds } from '#workers/data/split/stratifiedFolds.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { datasetOf, selectionOf } from '../dataFiles.ts';

const LEPORID = { train: 0.7, validation: 0.1, test: 0.2 };
const sequence = (length: number): number[] => Array.from({ length }, (_, item) => item);

test('shares left open are those of the papers', () => {
  expect(sharesOf(selectionOf('x'))).toBeNull();
  const ratio = sharesOf(selectionOf('x', { split: 'ratio-by-time' }));
  expect(ratio).toMatchObject({ train: 0.7, validation: 0.1 });
  expect(ratio?.test).toBeCloseTo(0.2, 12);
  expect(sharesOf(selectionOf('x', { split: 'random-by-item' }))?.test).toBeCloseTo(0.2, 12);
  expect(sharesOf(selectionOf('x', { split: 'global-time', trainShare: 0.9 }))?.test).toBe(0);
});

test.each([
  [1, 1, 1],
  [2, 1, 1],
  [3, 2, 2],
  [10, 7, 8],
  [20, 14, 16],
  [23, 16, 18],
])('of %i interactions %i train and %i train or validate, by ratio', (length, train, known) => {
  const { trainEnd, validationEnd } = ratioByTime(datasetOf([[0, 1, 2], sequence(length)]), LEPORID);
  expect(trainEnd[1]! - 3).toBe(train);
  expect(validationEnd[1]! - 3).toBe(known);
});

test('one moment divides all users, and never interactions of one moment', () => {
  const dataset = {
    ...datasetOf([
      [0, 1, 2, 3],
      [1, 2],
      [3, 0, 1, 2],
    ]),
    times: Float64Array.of(1, 2, 7, 7, 8, 9, 1, 3, 7, 10),
  };
  // times in order: 1 1 2 3 7 7 7 8 9 10; 50 % of ten is place 5, a 7; 70 % is place 7, the 8
  const split = globalTime(dataset, { train: 0.5, validation: 0.2, test: 0.3 });
  expect([split.trainBefore, split.validationBefore]).toEqual([7, 8]);
  expect([...split.trainEnd]).toEqual([2, 4, 8]);
  expect([...split.validationEnd]).toEqual([4, 4, 9]);
});

test('without a clock there is no split by one moment', () => {
  expect(() => globalTime(datasetOf([[0, 1]]), LEPORID)).toThrow(/does not say when .* global-time cannot be made/);
});

test('items are drawn 80 to 20, the same for the same seed', () => {
  const shares = { train: 0.8, validation: 0, test: 0.2 };
  const split = randomByItem(3706, shares, randomGenerator(3, 'items'));
  expect([split.train.length, split.validation.length, split.test.length]).toEqual([2965, 0, 741]);
  expect(randomByItem(3706, shares, randomGenerator(3, 'items'))).toEqual(split);
  expect(randomByItem(3706, shares, randomGenerator(4, 'items'))).not.toEqual(split);
});

test('folds hold every class alike', () => {
  const labels = [...Array<number>(13).fill(2), ...Array<number>(7).fill(0), ...Array<number>(5).fill(9)];
  const foldOf = stratifiedFolds(labels, 4, randomGenerator(1, 'folds'));
  for (const label of [0, 2, 9]) {
    const counts = [0, 1, 2, 3].map((fold) => labels.filter((l, i) => l === label && foldOf[i] === fold).length);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  }
  expect(() => stratifiedFolds([1, 2], 3, randomGenerator(1, 'folds'))).toThrow(/from 2 to 2/);
});

test('interactions of each user are drawn, as many as by time, the same for the same seed', () => {
  const dataset = datasetOf(Array.from({ length: 30 }, (_, user) => Array.from({ length: user + 1 }, (_, at) => at)));
  const draw = (seed: number) => randomByUser(dataset, LEPORID, randomGenerator(seed, 'drawn'));
  const split = draw(3);
  expect(draw(3)).toEqual(split);
  expect(draw(4).dataset.items).not.toEqual(split.dataset.items);
  const byTime = ratioByTime(dataset, LEPORID);
  expect([split.trainEnd, split.validationEnd]).toEqual([byTime.trainEnd, byTime.validationEnd]);
  for (let user = 0; user < dataset.userCount; user++) {
    const of = (items: Uint32Array) => [...items.subarray(dataset.offsets[user]!, dataset.offsets[user + 1]!)];
    expect(of(split.dataset.items).sort((a, b) => a - b)).toEqual(of(dataset.items));
    const trained = [...split.dataset.items.subarray(dataset.offsets[user]!, split.trainEnd[user]!)];
    expect(trained).toEqual(trained.toSorted((a, b) => a - b));
  }
});
