import type { Dimension, Side, Tree } from './regressionForest.ts';

/**
 * For each dimension, the share of a tree's variance that it explains by itself (F. Hutter, H. Hoos, K. Leyton-Brown, An
 * Efficient Approach for Assessing Hyperparameter Importance, ICML 2014, Eqs. 5 to 9 and Algorithm 2): the variance of the mean
 * prediction over all other dimensions, divided by the variance of the prediction. What is left to 1 belongs to interactions.
 * @returns one share a dimension; null where the prediction does not vary.
 */
export function varianceShares(tree: Tree, dimensions: readonly Dimension[]): number[] | null {
  const volumes = tree.map(({ box }) => box.reduce((volume, side) => volume * widthOf(side), 1));
  const mean = tree.reduce((sum, { value }, leaf) => sum + volumes[leaf]! * value, 0);
  const variance = tree.reduce((sum, { value }, leaf) => sum + volumes[leaf]! * (value - mean) ** 2, 0);
  if (!(variance > 0)) return null;
  return dimensions.map((dimension, index) => {
    const marginal =
      dimension.type === 'interval'
        ? intervalVariance(tree, { volumes, mean, index })
        : categoryVariance(tree, { volumes, mean, index, count: dimension.count });
    return marginal / variance;
  });
}

/** The share of its dimension that a side covers. */
function widthOf(side: Side): number {
  if ('low' in side) return side.high - side.low;
  return side.categories.reduce((sum, allowed) => sum + allowed, 0) / side.categories.length;
}

interface Marginal {
  /** Of the leaves' boxes; they sum to 1. */
  volumes: readonly number[];
  /** Of the tree's prediction. */
  mean: number;
  /** The dimension. */
  index: number;
}

/** The variance along an interval of the mean over all other dimensions, a step function of the leaves' ends. */
function intervalVariance(tree: Tree, { volumes, mean, index }: Marginal): number {
  const changes = new Map<number, number>();
  for (const [leaf, { value, box }] of tree.entries()) {
    const side = box[index]!;
    if (!('low' in side)) continue;
    const height = ((value - mean) * volumes[leaf]!) / widthOf(side);
    changes.set(side.low, (changes.get(side.low) ?? 0) + height);
    changes.set(side.high, (changes.get(side.high) ?? 0) - height);
  }
  const places = [...changes.keys()].sort((a, b) => a - b);
  let [height, variance] = [0, 0];
  for (const [at, place] of places.entries()) {
    height += changes.get(place)!;
    variance += height * height * ((places[at + 1] ?? place) - place);
  }
  return variance;
}

/** The same over categories, all alike likely. */
function categoryVariance(tree: Tree, { volumes, mean, index, count }: Marginal & { count: number }): number {
  const heights = new Float64Array(count);
  for (const [leaf, { value, box }] of tree.entries()) {
    const side = box[index]!;
    if ('low' in side) continue;
    const height = ((value - mean) * volumes[leaf]!) / widthOf(side);
    for (const [category, allowed] of side.categories.entries()) if (allowed === 1) heights[category]! += height;
  }
  return heights.reduce((sum, height) => sum + height * height, 0) / count;
}
