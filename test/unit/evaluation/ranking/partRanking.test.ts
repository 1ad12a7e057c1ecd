import { expect, test } from 'vitest';
import { leaveOneOut } from '#workers/data/split/leaveOneOut.ts';
import { heldOutItem } from '#workers/evaluation/ranking/heldOut.ts';
import { PartRanking } from '#workers/evaluation/ranking/partRanking.ts';
import { scoreOrder } from '#workers/evaluation/ranking/scoreOrder.ts';
import { datasetOf } from '#test/unit/data/dataFiles.ts';

test('an item that a user has met twice is left out once', () => {
  const part = heldOutItem(leaveOneOut(datasetOf([[0, 0, 1, 2, 3]], 6)), 'test', { excludeSeen: true });
  const ranking = new PartRanking(part, { listLength: 3, itemCount: 6, floor: 0 });
  ranking.take(0, Float64Array.of(9, 8, 7, 1, 3, 2));
  expect([...ranking.ranked.ranks]).toEqual([3]);
  expect([...ranking.ranked.lists]).toEqual([4, 5, 3]);
});

test('scores that are the same for everybody rank as those that are looked at user by user', () => {
  // few different scores, so that many are equal; some users meet items again
  const histories = Array.from({ length: 40 }, (_, user) =>
    Array.from({ length: 4 + (user % 7) }, (_, at) => (user * user * 5 + at * (user + 3)) % 30),
  );
  const scores = Float64Array.from({ length: 30 }, (_, item) => (item * 7) % 5);
  for (const [candidates, listLength, floor] of [
    [{ excludeSeen: true }, 10, 0],
    [{ excludeSeen: true, seenItems: 'training' }, 30, 0],
    [{ excludeSeen: false }, 10, Number.NEGATIVE_INFINITY],
    [{ excludeSeen: false }, 0, 0],
  ] as const) {
    for (const name of ['valid', 'test'] as const) {
      const part = heldOutItem(leaveOneOut(datasetOf(histories, 30)), name, candidates);
      const [one, all] = [0, 1].map(() => new PartRanking(part, { listLength, itemCount: 30, floor }));
      const order = scoreOrder(scores);
      for (const index of part.users.keys()) {
        one!.take(index, scores);
        all!.takeOrdered(index, order);
      }
      expect(part.users.length).toBeGreaterThan(30);
      expect(all!.ranked).toEqual(one!.ranked);
    }
  }
});
