import { expect, test } from 'vitest';
import { leaveOneOut } from '#workers/data/split/leaveOneOut.ts';
import { heldOutItem } from '#workers/evaluation/ranking/heldOut.ts';
import { PartRanking } from '#workers/evaluation/ranking/partRanking.ts';
import { datasetOf } from '#test/unit/data/dataFiles.ts';

test('an item that a user has met twice is left out once', () => {
  const part = heldOutItem(leaveOneOut(datasetOf([[0, 0, 1, 2, 3]], 6)), 'test', { excludeSeen: true });
  const ranking = new PartRanking(part, { listLength: 3, itemCount: 6, floor: 0 });
  ranking.take(0, Float64Array.of(9, 8, 7, 1, 3, 2));
  expect([...ranking.ranked.ranks]).toEqual([3]);
  expect([...ranking.ranked.lists]).toEqual([4, 5, 3]);
});
