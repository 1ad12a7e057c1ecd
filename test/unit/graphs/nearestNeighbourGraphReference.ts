import { sparseFromTriplets } from '#workers/math/sparse/sparseFromTriplets.ts';
import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import type { FeatureSets } from '#workers/graphs/featureSets.ts';
import { type SetSimilarity, setWeights, similarityOf } from '#workers/graphs/setSimilarity.ts';

/** The plain reference implementation of `nearestNeighbourGraph`: all pairs of nodes, one after the other. */
export function nearestNeighbourGraphReference(
  sets: FeatureSets,
  neighbours: number,
  similarity: SetSimilarity = 'jaccard',
): SparseMatrix {
  const { rowCount, offsets, columns } = sets;
  const { weights, sizes } = setWeights(sets, similarity);
  const members = Array.from({ length: rowCount }, (_, row) => columns.subarray(offsets[row]!, offsets[row + 1]!));
  const asSets = members.map((own) => new Set(own));
  const edges = new Map<number, number>();
  for (const [row, own] of members.entries()) {
    const others = asSets.map((set, other) => {
      let common = 0;
      for (const feature of own) if (set.has(feature)) common += weights?.[feature] ?? 1;
      const value = common === 0 ? 0 : similarityOf(similarity, common, [sizes[row]!, sizes[other]!]);
      return { other, value };
    });
    const near = others.filter(({ other, value }) => other !== row && value > 0);
    near.sort((a, b) => b.value - a.value || a.other - b.other);
    for (const { other, value } of near.slice(0, neighbours)) {
      edges.set(row * rowCount + other, value);
      edges.set(other * rowCount + row, value);
    }
  }
  const places = [...edges.keys()];
  return sparseFromTriplets({
    rowCount,
    columnCount: rowCount,
    rows: places.map((place) => Math.floor(place / rowCount)),
    columns: places.map((place) => place % rowCount),
    values: [...edges.values()],
  });
}
