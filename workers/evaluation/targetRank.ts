import { badInput } from '../../src/contracts/errors.ts';

/**
 * The 1-based rank of item `target` when all items are ranked by `scores` (items), greatest first, ties to the lowest
 * item number: 1 + items with a greater score + items with an equal score and a lower number. Items in `excluded` are
 * left out of the ranking; the target itself never is. Throws BAD_INPUT where the target is no item, or its score is NaN;
 * other items with a NaN score are ranked behind it.
 */
export function targetRank(
  scores: Float64Array | Float32Array,
  target: number,
  excluded: Iterable<number> = [],
): number {
  const own = scores[target];
  if (own === undefined) throw badInput(`target ${target} is not one of the ${scores.length} scored items`);
  if (Number.isNaN(own)) throw badInput(`the score of target ${target} is not a number`);
  let ahead = 0;
  for (let item = 0; item < target; item++) if (scores[item]! >= own) ahead++;
  for (let item = target + 1; item < scores.length; item++) if (scores[item]! > own) ahead++;
  for (const item of new Set(excluded)) {
    const score = scores[item];
    if (item === target || score === undefined) continue;
    if (item < target ? score >= own : score > own) ahead--;
  }
  return ahead + 1;
}
