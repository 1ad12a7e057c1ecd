import { directionsForError } from '#src/catalog/parameters/featureDimension.ts';
import { FEATURIZING_ROWS } from '#src/catalog/published/featurizingTables.ts';
import { type FeatureMap, featureDirections } from '#workers/math/dense/featureDirections.ts';
import { normaliseRows } from '#workers/math/dense/normaliseRows.ts';
import { randomFourierFeatures } from '#workers/math/random/randomFourierFeatures.ts';

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
  /** ε of φ_ε; null or none leaves that row out. */
  featureError?: number | null;
  featureErrorBy?: 'rule' | 'bound';
}

/** Rows of Table 1, and φ of as many directions as an ε asks for, which the paper has not. */
export const STUDY_ROWS = [...FEATURIZING_ROWS, 'phi-epsilon'] as const;
export type StudyRow = (typeof STUDY_ROWS)[number];

/** Those that a study has. */
export function rowsOf({ featureError = null }: FeaturizingParameters): readonly StudyRow[] {
  return featureError === null ? FEATURIZING_ROWS : STUDY_ROWS;
}

/** Representations that are scored over so many pretrainings: avg(h) once. */
export function representationCount(parameters: FeaturizingParameters, pretrainings: number): number {
  return (rowsOf(parameters).length - 1) * pretrainings + 1;
}

/** The map of a φ: what is stored of it. */
export function featureMapOf(row: 'phi-d' | 'phi-2d' | 'phi-epsilon', parameters: FeaturizingParameters): FeatureMap {
  const { dimension, sigmaSquared, kernel, orthogonal, featureSeed } = parameters;
  const directions = directionsOf(row, parameters);
  return { seed: featureSeed, directions, dimension, sigma: Math.sqrt(sigmaSquared), kernel, orthogonal };
}

function directionsOf(row: 'phi-d' | 'phi-2d' | 'phi-epsilon', parameters: FeaturizingParameters): number {
  const { dimension, subscript, featureError = null, featureErrorBy = 'rule' } = parameters;
  if (row === 'phi-epsilon') {
    const asked = directionsForError({ ...parameters, featureError, featureErrorBy });
    if (asked === null) throw new Error('internal: φ_ε without an ε');
    return asked;
  }
  const subscripted = row === 'phi-d' ? dimension : 2 * dimension;
  return subscript === 'dimension' ? subscripted / 2 : subscripted;
}

/** φ of normalised rows. */
export function featurizedRows(unit: Float64Array, map: FeatureMap): ItemRepresentation {
  const values = randomFourierFeatures(unit, featureDirections(map), map.dimension);
  return { values, width: 2 * map.directions };
}

/** Rows of a study by pretraining: avg(h) has one for all of them. `baselines` are those of h and avg(h) as they are used. */
export function tableRepresentations(
  replicates: readonly ArrayLike<number>[],
  parameters: FeaturizingParameters & { normaliseBaseline: boolean },
): ReadonlyMap<StudyRow, () => Generator<ItemRepresentation>> {
  const { dimension: width, normaliseBaseline } = parameters;
  const baseline = (h: ArrayLike<number>): ItemRepresentation => ({
    values: normaliseBaseline ? normaliseRows(h, width) : Float64Array.from(h),
    width,
  });
  const featurized = (row: 'phi-d' | 'phi-2d' | 'phi-epsilon') =>
    function* (): Generator<ItemRepresentation> {
      for (const h of replicates) yield featurizedRows(normaliseRows(h, width), featureMapOf(row, parameters));
    };
  const all = new Map<StudyRow, () => Generator<ItemRepresentation>>([
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
    ['phi-epsilon', featurized('phi-epsilon')],
  ]);
  return new Map(rowsOf(parameters).map((row) => [row, all.get(row)!]));
}

/** avg(h): entry by entry, as trained. */
export function averageRows(replicates: readonly ArrayLike<number>[]): Float64Array {
  const sum = new Float64Array(replicates[0]!.length);
  for (const h of replicates) for (let at = 0; at < sum.length; at++) sum[at]! += h[at]! / replicates.length;
  return sum;
}
