import { describe, expect, test } from 'vitest';
import { giniCoefficient, listMetrics } from '#workers/evaluation/ranking/listMetrics.ts';
import { emptyRankedUsers, setPlace, tieShare } from '#workers/evaluation/ranking/rankedUsers.ts';

function ranked(lists: number[][], listLength: number) {
  const made = emptyRankedUsers(lists.length, listLength);
  for (const [user, list] of lists.entries()) made.lists.set(list, user * listLength);
  return made;
}

describe('giniCoefficient', () => {
  test.each([
    { amounts: [3, 3, 3, 3], gini: 0 },
    { amounts: [0, 0, 0, 8], gini: 3 / 4 },
    // mean absolute difference over twice the mean: pairs |1-2| |1-3| |2-3| twice each, 8 / 9 / (2 * 2)
    { amounts: [3, 1, 2], gini: 8 / 36 },
  ])('of $amounts', ({ amounts, gini }) => expect(giniCoefficient(amounts)).toBeCloseTo(gini, 12));

  test('of nothing at all is not a number', () => expect(giniCoefficient([0, 0])).toBeNaN());
});

describe('listMetrics', () => {
  // Eight users trained; item 0 is with all of them, item 1 with two, item 2 with one, item 3 with none.
  const facts = { popularity: Uint32Array.of(8, 2, 1, 0), userCount: 8, profilePopularity: Float64Array.of(4, 2) };

  test('by hand', () => {
    const lists = listMetrics(
      ranked(
        [
          [0, 1],
          [0, 3],
        ],
        2,
      ),
      2,
      facts,
    );
    expect(lists.coverage).toBe(3 / 4);
    // self-information 0, 2, 0 and, as if one user had item 3, 3 bits
    expect(lists.novelty).toBe(5 / 4);
    // lists have means 5 and 4, profiles 4 and 2
    expect(lists.popularityBias).toBeCloseTo(9 / 6 - 1, 12);
    // times recommended: 2 1 0 1
    expect(lists.gini).toBeCloseTo((-3 * 0 - 1 + 1 + 3 * 2) / (4 * 4), 12);
    expect(lists.filled).toBe(1);
  });

  test('counts the first places only, and not the empty ones', () => {
    const made = ranked([[0, 1], [2]], 2);
    expect(listMetrics(made, 1, facts)).toMatchObject({ coverage: 2 / 4, novelty: 3 / 2, filled: 1 });
    expect(listMetrics(made, 2, facts)).toMatchObject({ coverage: 3 / 4, filled: 3 / 4 });
    expect(listMetrics(made, 4, facts)).toMatchObject({ coverage: 3 / 4, filled: 3 / 8 });
  });

  test('where nothing is recommended, nothing is known', () => {
    const { filled, ...others } = listMetrics(ranked([[], []], 2), 2, facts);
    expect(filled).toBe(0);
    for (const value of Object.values(others)) expect(value).toBeNaN();
  });
});

test('the share of ties counts users whose hit the tie rule decides', () => {
  const made = emptyRankedUsers(4, 1);
  setPlace(made, 0, { rank: 2, best: 1, worst: 3 });
  setPlace(made, 1, { rank: 1, best: 1, worst: 1 });
  setPlace(made, 2, { rank: 9, best: 8, worst: 9 });
  expect([1, 2, 3, 8].map((cutoff) => tieShare(made, cutoff))).toEqual([1 / 4, 1 / 4, 0, 1 / 4]);
});
