import { badInput } from '#src/base/contracts/errors.ts';
import { type FeatureMap, featureDirections } from '../dense/featureDirections.ts';
import { NORM_TOLERANCE, rowNorms } from '../dense/normaliseRows.ts';

/**
 * φ_m(h, Q) = 1/√m [cos(u_1·h), sin(u_1·h), …, cos(u_m·h), sin(u_m·h)] (Featurizing Pretrained Representations, Section 5),
 * for rows as they are.
 * @param h (rows, d) Row-major.
 * @param directions (m, d) Row-major, as `featureDirections` gives them.
 * @returns (rows, 2m), row-major.
 */
export function randomFourierFeatures(
  h: ArrayLike<number>,
  directions: ArrayLike<number>,
  dimension: number,
): Float64Array {
  const rows = h.length / dimension;
  const count = directions.length / dimension;
  if (!Number.isInteger(rows) || !Number.isInteger(count) || count < 1) {
    throw badInput(
      `${h.length} values of h and ${directions.length} of directions; expected rows of ${dimension} of both, and a direction`,
      'h',
    );
  }
  const scale = 1 / Math.sqrt(count);
  const features = new Float64Array(rows * 2 * count);
  for (let row = 0; row < rows; row++) {
    for (let m = 0; m < count; m++) {
      let angle = 0;
      for (let d = 0; d < dimension; d++) angle += h[row * dimension + d]! * directions[m * dimension + d]!;
      features[2 * (row * count + m)] = scale * Math.cos(angle);
      features[2 * (row * count + m) + 1] = scale * Math.sin(angle);
    }
  }
  return features;
}

/**
 * φ_m(h, Q) of unit rows, with the directions that `map` stands for: the same numbers in any process and in a browser,
 * but for the last bits of cos, sin and log. Throws BAD_INPUT where rows do not have norm 1: the paper's guarantees are for
 * those, and `normaliseRows` makes them.
 * @param h (rows, map.dimension) Row-major.
 * @returns (rows, 2 map.directions), row-major.
 */
export function featurize(h: ArrayLike<number>, map: FeatureMap): Float64Array {
  const directions = featureDirections(map);
  const { smallest, largest, normalised } = rowNorms(h, map.dimension);
  if (h.length > 0 && !normalised) {
    throw badInput(
      `norms of h from ${smallest.toPrecision(6)} to ${largest.toPrecision(6)}; expected 1 to within ${NORM_TOLERANCE}: normalise h first`,
      'h',
    );
  }
  return randomFourierFeatures(h, directions, map.dimension);
}
