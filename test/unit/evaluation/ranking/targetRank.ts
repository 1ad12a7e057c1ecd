import { targetPlace } from '#workers/evaluation/ranking/targetPlace.ts';

/** The 1-based rank of item `target` by `scores` (items), as `targetPlace` defines it. */
export function targetRank(
  scores: Float64Array | Float32Array,
  target: number,
  excluded: ArrayLike<number> = [],
): number {
  return targetPlace(scores, target, excluded).rank;
}
