/** The items that have a score; every other item scores 0. */
export interface SparseScores {
  /** Different item numbers, in any order. (scored) */
  items: ArrayLike<number>;
  /** (scored) */
  scores: ArrayLike<number>;
  /** How many of them count. */
  size: number;
}

/**
 * `targetRank` for scores of which nearly all are 0, without writing them out: the 1-based rank of item `target` among all
 * items, greatest score first, ties to the lowest item number. Items in `excluded` are left out; the target never is.
 */
export function sparseTargetRank(sparse: SparseScores, target: number, excluded: Iterable<number> = []): number {
  const scored = new Map<number, number>();
  for (let at = 0; at < sparse.size; at++) scored.set(sparse.items[at]!, sparse.scores[at]!);
  const own = scored.get(target) ?? 0;
  const isAhead = (item: number, score: number) => score > own || (score === own && item < target);
  if (own < 0) throw new RangeError('internal: a sparse score is never below 0');
  // Of the items without a score only those with a lower number can stand ahead, and only of a target that has none.
  let ahead = own === 0 ? target : 0;
  for (const [item, score] of scored) {
    if (item === target) continue;
    if (own === 0 && item < target) ahead--;
    if (isAhead(item, score)) ahead++;
  }
  for (const item of new Set(excluded)) if (item !== target && isAhead(item, scored.get(item) ?? 0)) ahead--;
  return ahead + 1;
}
