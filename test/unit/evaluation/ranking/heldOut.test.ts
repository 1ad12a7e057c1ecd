import { describe, expect, test } from 'vitest';
import { ratioByTime } from '#workers/data/split/orderedSplit.ts';
import { heldOut, targetsOf } from '#workers/evaluation/ranking/heldOut.ts';
import { PartRanking, userMetrics } from '#workers/evaluation/ranking/partRanking.ts';
import { topNMetrics } from './topNMetrics.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { datasetOf } from '#test/unit/data/dataFiles.ts';

const SHARES = { train: 0.7, validation: 0.1, test: 0.2 };

/** Ten interactions: seven train, one validates, two test. */
const TEN = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

describe('what is held out', () => {
  test('of ten interactions the eighth for validation, the last two for testing', () => {
    const split = ratioByTime(datasetOf([TEN]), SHARES);
    const [validation, testing] = [heldOut(split, 'valid', true), heldOut(split, 'test', true)];
    expect([...targetsOf(validation, 0)]).toEqual([7]);
    expect([...validation.history(0)]).toEqual(TEN.slice(0, 7));
    expect([...targetsOf(testing, 0)]).toEqual([8, 9]);
    expect([...testing.excluded(0)]).toEqual(TEN.slice(0, 8));
  });

  test('an item met before is no target where seen items are no candidates, and counts once otherwise', () => {
    const split = ratioByTime(datasetOf([[0, 1, 2, 3, 4, 5, 6, 7, 3, 3], TEN], 12), SHARES);
    const unseen = heldOut(split, 'test', true);
    expect([...unseen.users]).toEqual([1]);
    const all = heldOut(split, 'test', false);
    expect([...all.users]).toEqual([0, 1]);
    expect([...targetsOf(all, 0)]).toEqual([3]);
    expect(all.excluded(0)).toHaveLength(0);
  });

  test('users whose part is empty are not asked for', () => {
    const split = ratioByTime(datasetOf([[0], [1, 2], TEN]), SHARES);
    expect([...heldOut(split, 'valid', true).users]).toEqual([2]);
    expect([...heldOut(split, 'test', true).users]).toEqual([1, 2]);
  });
});

test('metrics are those of sorting all candidates, for several targets a user', () => {
  const generator = randomGenerator(3, 'held-out test');
  const sequences = Array.from({ length: 12 }, () => {
    const order = Uint32Array.from({ length: 40 }, (_, item) => item);
    generator.shuffle(order);
    return [...order.slice(0, 8 + generator.nextInt(20))];
  });
  const part = heldOut(ratioByTime(datasetOf(sequences, 40), SHARES), 'test', true);
  const lists = new PartRanking(part, { listLength: 10, itemCount: 40, floor: Number.NEGATIVE_INFINITY });
  const scores = Array.from(part.users, () => Float64Array.from({ length: 40 }, () => generator.nextInt(9)));
  for (const [index, own] of scores.entries()) lists.take(index, own);
  for (const cutoff of [1, 5, 10]) {
    const metrics = userMetrics(part, lists.ranked, cutoff);
    for (const [index, own] of scores.entries()) {
      const candidates = own.map((score, item) => (part.excluded(index).includes(item) ? -1 : score));
      expect(metrics[index]).toEqual(topNMetrics(candidates, [...targetsOf(part, index)], cutoff));
    }
  }
});

test('items that do not score above the floor are not recommended', () => {
  const part = heldOut(ratioByTime(datasetOf([TEN], 12), SHARES), 'test', true);
  const lists = new PartRanking(part, { listLength: 3, itemCount: 12, floor: 0 });
  lists.take(
    0,
    Float64Array.from({ length: 12 }, (_, item) => (item === 9 || item === 2 ? 1 : 0)),
  );
  expect([...lists.ranked.lists]).toEqual([9, -1, -1]);
});
