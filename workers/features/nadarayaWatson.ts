import { badInput } from '#src/base/contracts/errors.ts';

export interface NadarayaWatsonSamples {
  /** (samples, width) Row-major representations. */
  h: ArrayLike<number>;
  width: number;
  /** Bandwidth b of K(u) = exp(-|u|²/b²). */
  bandwidth: number;
}

/**
 * Weights w_h(x, x_j) = K(h(x) - h(x_j)) / Σ K of the Nadaraya-Watson estimator (Featurizing Pretrained Representations, Section
 * 4.3), for each query over the samples; `leaveOut` names a sample that counts for nothing, by query. Distances are taken from
 * the nearest, so that no row underflows.
 * @param queries (queries, width) Row-major.
 * @returns (queries, samples), row-major; each row sums to 1.
 */
export function nadarayaWatsonWeights(
  queries: ArrayLike<number>,
  { h, width, bandwidth }: NadarayaWatsonSamples,
  leaveOut: ((query: number) => number) | null = null,
): Float64Array {
  const samples = h.length / width;
  if (samples < (leaveOut === null ? 1 : 2)) throw badInput(`${samples} samples; expected some to weigh`, 'h');
  if (!(bandwidth > 0)) throw badInput(`bandwidth ${bandwidth}; expected a number above 0`, 'bandwidth');
  const weights = new Float64Array((queries.length / width) * samples);
  for (let query = 0; query < queries.length / width; query++) {
    const row = weights.subarray(query * samples, (query + 1) * samples);
    const left = leaveOut?.(query) ?? -1;
    let nearest = Number.POSITIVE_INFINITY;
    for (let j = 0; j < samples; j++) {
      let square = 0;
      for (let d = 0; d < width; d++) square += (queries[query * width + d]! - h[j * width + d]!) ** 2;
      row[j] = j === left ? Number.POSITIVE_INFINITY : square;
      nearest = Math.min(nearest, row[j]!);
    }
    let sum = 0;
    for (let j = 0; j < samples; j++) {
      row[j] = Math.exp((nearest - row[j]!) / bandwidth ** 2);
      sum += row[j]!;
    }
    for (let j = 0; j < samples; j++) row[j]! /= sum;
  }
  return weights;
}

/** (queries) Σ_j w(query, x_j) y_j. */
export function nadarayaWatsonPredictions(weights: Float64Array, targets: ArrayLike<number>): Float64Array {
  const samples = targets.length;
  return Float64Array.from({ length: weights.length / samples }, (_, query) => {
    let sum = 0;
    for (let j = 0; j < samples; j++) sum += weights[query * samples + j]! * targets[j]!;
    return sum;
  });
}
