import type { TargetPlace } from './rankedUsers.ts';
import { type SparseScores, sparseTargetRank } from './sparseTargetRank.ts';

/**
 * `targetPlace` for scores of which nearly all are 0, without writing them out. `excluded` has different items.
 */
export function sparseTargetPlace(
  sparse: SparseScores,
  target: number,
  { excluded, itemCount }: { excluded: ArrayLike<number> & Iterable<number>; itemCount: number },
): TargetPlace {
  const rank = sparseTargetRank(sparse, target, excluded);
  const left = new Set(excluded);
  left.delete(target);
  let own = 0;
  for (let at = 0; at < sparse.size; at++) if (sparse.items[at] === target) own = sparse.scores[at]!;
  let greater = 0;
  let equal = 0;
  for (let at = 0; at < sparse.size; at++) {
    const item = sparse.items[at]!;
    if (item === target || left.has(item)) continue;
    if (sparse.scores[at]! > own) greater++;
    else if (sparse.scores[at] === own) equal++;
  }
  // A target without a score ties with every other candidate that has none.
  const worst = own === 0 ? itemCount - left.size : 1 + greater + equal;
  return { rank, best: 1 + greater, worst };
}

/**
 * Writes the items with a score above 0, without those in `excluded` but for the target, greatest first, ties to the
 * lowest item, to `list`, as many as it holds; the rest of it stays as it is. Items that score 0 are ranked, but nothing
 * speaks for them: they are no recommendations.
 */
export function sparseList(
  sparse: SparseScores,
  target: number,
  { excluded, list }: { excluded: Iterable<number>; list: Int32Array },
): void {
  const left = new Set(excluded);
  left.delete(target);
  const places: number[] = [];
  for (let at = 0; at < sparse.size; at++) {
    if (sparse.scores[at]! > 0 && !left.has(sparse.items[at]!)) places.push(at);
  }
  places.sort((a, b) => sparse.scores[b]! - sparse.scores[a]! || sparse.items[a]! - sparse.items[b]!);
  for (let index = 0; index < Math.min(places.length, list.length); index++)
    list[index] = sparse.items[places[index]!]!;
}
