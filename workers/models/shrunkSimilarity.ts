/** How alike two sets are: `SHRUNK_SIMILARITIES` says how each is computed. */
export type ShrunkSimilarity = 'cosine' | 'jaccard' | 'dice';

/** `common` members of two sets of sizes `a` and `b`, at least one member each; `shrinkage` is added to the denominator. */
export interface SetOverlap {
  common: number;
  a: number;
  b: number;
  shrinkage: number;
}

/**
 * |A ∩ B| over √(|A| |B|) (cosine), |A ∪ B| (jaccard) or (|A| + |B|) / 2 (dice), with the shrinkage h added below: pairs with
 * little in common count less (M. Ferrari Dacrema et al., RecSys 2019, whom LEPORID follows).
 */
export const SHRUNK_SIMILARITIES: Readonly<Record<ShrunkSimilarity, (overlap: SetOverlap) => number>> = {
  cosine: ({ common, a, b, shrinkage }) => common / (Math.sqrt(a * b) + shrinkage),
  jaccard: ({ common, a, b, shrinkage }) => common / (a + b - common + shrinkage),
  dice: ({ common, a, b, shrinkage }) => (2 * common) / (a + b + 2 * shrinkage),
};
