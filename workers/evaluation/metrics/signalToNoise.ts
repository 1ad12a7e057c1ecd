import { badInput } from '#src/base/contracts/errors.ts';

/**
 * Signal-to-noise ratio 10 log₁₀(Σ y² / Σ (y - ŷ)²) in decibels (RNTK, Section 4) of predicted against true values; infinite
 * without an error. Throws BAD_INPUT for no values, or not as many of each.
 */
export function signalToNoise(predicted: ArrayLike<number>, truth: ArrayLike<number>): number {
  if (predicted.length !== truth.length || truth.length === 0) {
    throw badInput(`expected as many predictions as values, and some: got ${predicted.length} and ${truth.length}`);
  }
  let [signal, noise] = [0, 0];
  for (let i = 0; i < truth.length; i++) {
    signal += truth[i]! ** 2;
    noise += (truth[i]! - predicted[i]!) ** 2;
  }
  return 10 * Math.log10(signal / noise);
}
