import type { FeaturizingRow } from '../../../src/catalog/published/featurizingTables.ts';
import { type FeatureMap, featureDirections } from '../../math/featureDirections.ts';
import { normaliseRows } from '../../math/normaliseRows.ts';
import { randomFourierFeatures } from '../../math/randomFourierFeatures.ts';

/** A representation of the items: (items, width), row-major. */
export interface ItemRepresentation {
  values: Float64Array;
  width: number;
}

export interface FeaturizingParameters {
  dimension: number;
  sigmaSquared: number;
  kernel: 'gaussian' | 'laplace' | 'cauchy';
  orthogonal: boolean;
  featureSeed: number;
  subscript: 'dimension' | 'directions';
}

/** The map of φ_d or of φ_2d: what is stored of it. */
export function featureMapOf(row: 'phi-d' | 'phi-2d', parameters: FeaturizingParameters): FeatureMap {
  const { dimension, sigmaSquared, kernel, orthogonal, featureSeed, subscript } = parameters;
  const subscripted = row === 'phi-d' ? dimension : 2 * dimension;
  const directions = subscript === 'dimension' ? subscripted / 2 : subscripted;
  return { seed: featureSeed, directions, dimension, sigma: Math.sqrt(sigmaSquared), kernel, orthogonal };
}

/** φ of normalised rows. */
export function featurizedRows(unit: Float64Array, map: FeatureMap): ItemRepresentation {
  const values = randomFourierFeatures(unit, featureDirections(map), map.dimension);
  return { values, width: 2 * map.directions };
}

/** Rows of Table 1 by pretraining: avg(h) has one for all of them. `baselines` are those of h and avg(h) as they are used. */
export function tableRepresentations(
  replicates: readonly ArrayLike<number>[],
  parameters: FeaturizingParameters & { normaliseBaseline: boolean },
): ReadonlyMap<FeaturizingRow, () => Generator<ItemRepresentation>> {
  const { dimension: width, normaliseBaseline } = parameters;
  const baseline = (h: ArrayLike<number>): ItemRepresentation => ({
    values: normaliseBaseline ? normaliseRows(h, width) : Float64Array.from(h),
    width,
  });
  const featurized = (row: 'phi-d' | 'phi-2d') =>
    function* (): Generator<ItemRepresentation> {
      for (const h of replicates) yield featurizedRows(normaliseRows(h, width), featureMapOf(row, parameters));
    };
  return new Map([
    [
      'h',
      function* () {
        for (const h of replicates) yield baseline(h);
      },
    ],
    [
      'avg-h',
      function* () {
        yield baseline(averageRows(replicates));
      },
    ],
    ['phi-d', featurized('phi-d')],
    ['phi-2d', featurized('phi-2d')],
  ]);
}

/** avg(h): entry by entry, as trained. */
export function averageRows(replicates: readonly ArrayLike<number>[]): Float64Array {
  const sum = new Float64Array(replicates[0]!.length);
  for (const h of replicates) for (let at = 0; at < sum.length; at++) sum[at]! += h[at]! / replicates.length;
  return sum;
}
