import { expect, test } from 'vitest';
import { lengthGroups, tailUsers, targetGroups } from '#workers/evaluation/ranking/userGroups.ts';

test('tail users are the 25 % with fewest interactions, of equals the first', () => {
  expect([...tailUsers([9, 3, 5, 3, 8, 3, 7, 6]).members]).toEqual([1, 3]);
  expect([...tailUsers([2, 2, 2, 2, 1]).members]).toEqual([0, 4]);
  expect([...tailUsers([4]).members]).toEqual([0]);
});

test('every user is in one group of lengths', () => {
  const groups = lengthGroups([1, 4, 5, 9, 10, 19, 20, 49, 50, 3000]);
  expect(groups.map(({ name, members }) => [name, [...members]])).toEqual([
    ['length-1-4', [0, 1]],
    ['length-5-9', [2, 3]],
    ['length-10-19', [4, 5]],
    ['length-20-49', [6, 7]],
    ['length-50-up', [8, 9]],
  ]);
});

test('targets are grouped by thirds of the training interactions, items nobody has among the rare', () => {
  // 12 interactions in order of popularity: item 3 (6), item 0 (2), item 1 (2), item 4 (2), item 2 (0)
  const groups = targetGroups([3, 0, 1, 4, 2, 3], Uint32Array.of(2, 2, 0, 6, 2));
  expect(groups.map(({ name, members }) => [name, [...members]])).toEqual([
    ['target-popular', [0, 5]],
    ['target-middle', [1]],
    ['target-rare', [2, 3, 4]],
  ]);
});
