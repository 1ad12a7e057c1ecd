import { badInput } from '#src/base/contracts/errors.ts';
import type { TargetPlace } from './rankedUsers.ts';

/**
 * Where item `target` stands when all items are ranked by `scores` (items), greatest first, ties to the lowest item
 * number: 1 + items with a greater score + items with an equal score and a lower number. Items in `excluded`, all of them
 * different, are left out of the ranking; the target itself never is. Throws BAD_INPUT where the target is no item, or its score is NaN;
 * other items with a NaN score are ranked behind it.
 */
export function targetPlace(
  scores: Float64Array | Float32Array,
  target: number,
  excluded: ArrayLike<number> = [],
): TargetPlace {
  const own = scores[target];
  if (own === undefined) throw badInput(`target ${target} is not one of the ${scores.length} scored items`);
  if (Number.isNaN(own)) throw badInput(`the score of target ${target} is not a number`);
  let greater = 0;
  let equalBefore = 0;
  let equalAfter = 0;
  // Sums of comparisons, not branches: which way they go cannot be foreseen, and guessing wrong takes three times as long.
  for (let item = 0; item < target; item++) {
    greater += Number(scores[item]! > own);
    equalBefore += Number(scores[item]! === own);
  }
  for (let item = target + 1; item < scores.length; item++) {
    greater += Number(scores[item]! > own);
    equalAfter += Number(scores[item]! === own);
  }
  return placeWithout({ scores, target, excluded, among: { greater, equalBefore, equalAfter } });
}

/** How many of the other items a target stands behind, is equal to and before by number, and is equal to and behind. */
export interface PlaceCounts {
  greater: number;
  equalBefore: number;
  equalAfter: number;
}

/** The place of a target, from its counts among all items, when items in `excluded`, all of them different, are left out. */
export function placeWithout({
  scores,
  target,
  excluded,
  among,
}: {
  scores: Float64Array | Float32Array;
  target: number;
  excluded: ArrayLike<number>;
  among: PlaceCounts;
}): TargetPlace {
  const own = scores[target]!;
  let { greater, equalBefore, equalAfter } = among;
  for (let at = 0; at < excluded.length; at++) {
    const item = excluded[at]!;
    const score = scores[item];
    if (item === target || score === undefined) continue;
    if (score > own) greater--;
    else if (score === own) {
      if (item < target) equalBefore--;
      else equalAfter--;
    }
  }
  return {
    rank: 1 + greater + equalBefore,
    best: 1 + greater,
    worst: 1 + greater + equalBefore + equalAfter,
  };
}
