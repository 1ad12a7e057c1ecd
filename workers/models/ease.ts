/**
 * EASE: H. Steck, "Embarrassingly shallow autoencoders for sparse data", WWW 2019, Eq. 8. The score of item j for a history
 * H is the sum of b_ij over i in H, where B is the ridge regression of each item on the others, in closed form.
 */
import type { TrainingPart } from '../data/split/trainingPart.ts';
import { symmetricInverse } from '../wasm/linearAlgebra/symmetricInverse.ts';
import type { NumericThreads } from '../wasm/threads/numericThreads.ts';
import { coOccurrences } from './coOccurrences.ts';

/**
 * B (items, items), row-major, row i the weights of item i for the others, zero on the diagonal: b_ij = -p_ij / p_jj for
 * P = (A'A + λ I)⁻¹ of the binary matrix A (users, items). `l2` is λ > 0. `pulse` is told the part that is done and may throw.
 */
export function fitEase(
  threads: NumericThreads,
  training: TrainingPart,
  { l2, pulse }: { l2: number; pulse?: (fraction: number) => void },
): Float64Array {
  const { itemCount } = training.dataset;
  const gram = coOccurrences(training);
  for (let item = 0; item < itemCount; item++) gram[item * itemCount + item]! += l2;
  const weights = symmetricInverse(threads, gram, itemCount, pulse);
  const factors = Float64Array.from({ length: itemCount }, (_, item) => -1 / weights[item * itemCount + item]!);
  for (let row = 0; row < itemCount; row++) {
    for (let column = 0; column < itemCount; column++) weights[row * itemCount + column]! *= factors[column]!;
    weights[row * itemCount + row] = 0;
  }
  return weights;
}

/** Writes the score of every item for a user with this history into `scores` (items). */
export function easeScores(weights: Float64Array, history: Uint32Array, scores: Float64Array): void {
  scores.fill(0);
  for (const item of new Set(history)) {
    const row = weights.subarray(item * scores.length, (item + 1) * scores.length);
    for (let other = 0; other < row.length; other++) scores[other]! += row[other]!;
  }
}
