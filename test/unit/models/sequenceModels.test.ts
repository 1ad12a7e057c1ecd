import { describe, expect, test } from 'vitest';
import { leaveOneOut } from '#workers/data/split/leaveOneOut.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { fitItemKnn, itemKnnScores } from '#workers/models/itemKnn.ts';
import { fitMarkov, markovScores } from '#workers/models/markov.ts';
import { fitPopularity, popularityScores } from '#workers/models/popularity.ts';
import { datasetOf } from '../data/dataFiles.ts';
import { slowItemKnn, slowMarkov, slowPopularity, slowTraining } from './slowModels.ts';

/** Random data with repeated items, short users and items that nobody trains on. */
function randomDataset(round: number) {
  const generator = randomGenerator(round, 'model test');
  const itemCount = 3 + generator.nextInt(15);
  const sequences = Array.from({ length: 2 + generator.nextInt(20) }, () =>
    Array.from({ length: 1 + generator.nextInt(12) }, () => generator.nextInt(itemCount)),
  );
  return { dataset: datasetOf(sequences, itemCount), generator, itemCount };
}

function expectClose(actual: Float64Array, expected: readonly number[]): void {
  expect(actual.length).toBe(expected.length);
  for (const [item, value] of expected.entries()) expect(actual[item]).toBeCloseTo(value, 12);
}

// training: 0: [0, 1], 1: [0, 1, 2], 2: [2]; what stands after the bar validates and tests
const BY_HAND = datasetOf([
  [0, 1, /**/ 3, 2],
  [0, 1, 2, /**/ 3, 3],
  [2, /**/ 0, 1],
]);

describe('popularity', () => {
  test('counts training interactions only', () => {
    const scores = new Float64Array(4);
    popularityScores(fitPopularity(leaveOneOut(BY_HAND)), scores);
    expect([...scores]).toEqual([2, 2, 2, 0]);
  });

  test('agrees with the slow reference implementation', () => {
    for (let round = 0; round < 40; round++) {
      const { dataset, itemCount } = randomDataset(round);
      expectClose(fitPopularity(leaveOneOut(dataset)).counts, slowPopularity(slowTraining(dataset), itemCount));
    }
  });
});

describe('item neighbours', () => {
  test('cosine by hand: items 0 and 1 share both of their users, 0 and 2 one of two', () => {
    const scores = new Float64Array(4);
    const model = fitItemKnn(leaveOneOut(BY_HAND), { neighbours: 10, shrinkage: 0 });
    itemKnnScores(model, Uint32Array.of(0), scores);
    expectClose(scores, [0, 1, 1 / 2, 0]);
    itemKnnScores(model, Uint32Array.of(0, 1, 0), scores);
    expectClose(scores, [1, 1, 1, 0]);
  });

  test('shrinkage is added to the denominator', () => {
    const scores = new Float64Array(4);
    itemKnnScores(fitItemKnn(leaveOneOut(BY_HAND), { neighbours: 10, shrinkage: 3 }), Uint32Array.of(0), scores);
    expectClose(scores, [0, 2 / 5, 1 / 5, 0]);
  });

  test('only the nearest count, ties to the lowest item', () => {
    const scores = new Float64Array(4);
    const model = fitItemKnn(leaveOneOut(BY_HAND), { neighbours: 1, shrinkage: 0 });
    itemKnnScores(model, Uint32Array.of(2), scores);
    expectClose(scores, [1 / 2, 0, 0, 0]);
  });

  test('agrees with the slow reference implementation', () => {
    for (let round = 0; round < 40; round++) {
      const { dataset, generator, itemCount } = randomDataset(round);
      const options = { neighbours: 1 + generator.nextInt(8), shrinkage: generator.nextInt(2) * 2.5 };
      const model = fitItemKnn(leaveOneOut(dataset), options);
      const history = Array.from({ length: 1 + generator.nextInt(5) }, () => generator.nextInt(itemCount));
      const scores = new Float64Array(itemCount).fill(99);
      itemKnnScores(model, Uint32Array.from(history), scores);
      expectClose(scores, slowItemKnn(slowTraining(dataset), itemCount, { ...options, history }));
    }
  });
});

describe('Markov chain', () => {
  test('transitions by hand: 0 is followed by 1 twice; six training interactions', () => {
    const model = fitMarkov(leaveOneOut(BY_HAND), 1);
    const scores = new Float64Array(4);
    markovScores(model, 0, scores);
    expectClose(scores, [2 / 6 / 3, (2 + 2 / 6) / 3, 2 / 6 / 3, 0]);
  });

  test('after an item that nothing followed, popularity decides, even without smoothing', () => {
    const scores = new Float64Array(4);
    markovScores(fitMarkov(leaveOneOut(BY_HAND), 0), 3, scores);
    expectClose(scores, [1 / 3, 1 / 3, 1 / 3, 0]);
  });

  test('scores are a probability distribution', () => {
    const { dataset, itemCount } = randomDataset(7);
    const scores = new Float64Array(itemCount);
    for (let last = 0; last < itemCount; last++) {
      markovScores(fitMarkov(leaveOneOut(dataset), 0.7), last, scores);
      expect(scores.reduce((sum, score) => sum + score, 0)).toBeCloseTo(1, 12);
    }
  });

  test('agrees with the slow reference implementation', () => {
    for (let round = 0; round < 40; round++) {
      const { dataset, generator, itemCount } = randomDataset(round);
      const smoothing = [0, 0.5, 1, 10][round % 4]!;
      const model = fitMarkov(leaveOneOut(dataset), smoothing);
      const last = generator.nextInt(itemCount);
      const scores = new Float64Array(itemCount).fill(99);
      markovScores(model, last, scores);
      expectClose(scores, slowMarkov(slowTraining(dataset), itemCount, { last, smoothing }));
    }
  });
});
