import type { FeatureSets } from './featureSets.ts';

/** How alike two sets of features are, from 0 to 1; 0 is no edge. */
export type SetSimilarity = 'jaccard' | 'cosine' | 'inverse-frequency';

/** What the members of sets weigh: similarity is of the weight in common and those of both. */
export interface SetWeights {
  /** (features), or null where each weighs 1. */
  weights: Float64Array | null;
  /** (nodes) Sum over each node's features. */
  sizes: Float64Array;
}

/**
 * Weights of a similarity: 1 for `jaccard`, |A ∩ B| / |A ∪ B| (LEPORID Eq. 9), and `cosine`, |A ∩ B| / √(|A| |B|); for
 * `inverse-frequency`, the cosine of vectors with ln(n / nodes that have the feature) at each feature, its square.
 */
export function setWeights(sets: FeatureSets, similarity: SetSimilarity): SetWeights {
  const { rowCount, columnCount, offsets, columns } = sets;
  if (similarity !== 'inverse-frequency') {
    return { weights: null, sizes: Float64Array.from({ length: rowCount }, (_, r) => offsets[r + 1]! - offsets[r]!) };
  }
  const weights = new Float64Array(columnCount);
  for (const feature of columns) weights[feature]! += 1;
  for (let feature = 0; feature < columnCount; feature++) {
    weights[feature] = weights[feature] === 0 ? 0 : Math.log(rowCount / weights[feature]!) ** 2;
  }
  const sizes = new Float64Array(rowCount);
  for (let row = 0; row < rowCount; row++) {
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) sizes[row]! += weights[columns[at]!]!;
  }
  return { weights, sizes };
}

/** The similarity of sets that weigh `a` and `b` and have `common` in common. */
export function similarityOf(similarity: SetSimilarity, common: number, [a, b]: readonly [number, number]): number {
  return similarity === 'jaccard' ? common / (a + b - common) : common / Math.sqrt(a * b);
}
