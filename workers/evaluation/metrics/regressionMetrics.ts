import { badInput } from '#src/contracts/errors.ts';

export interface RegressionMetrics {
  /** Root of the mean squared error, in the unit of the targets. */
  rmse: number;
  /** Signal-to-noise ratio, 10 log10(sum y² / sum (y - ŷ)²), in decibels: RNTK, Section 4. Infinite without an error. */
  snr: number;
}

/** Metrics of predicted against true values (samples). Throws BAD_INPUT for no samples, or as many of each not given. */
export function regressionMetrics(predicted: ArrayLike<number>, truth: ArrayLike<number>): RegressionMetrics {
  if (predicted.length !== truth.length || truth.length === 0) {
    throw badInput(`expected as many predictions as values, and some: got ${predicted.length} and ${truth.length}`);
  }
  let signal = 0;
  let noise = 0;
  for (let sample = 0; sample < truth.length; sample++) {
    signal += truth[sample]! ** 2;
    noise += (predicted[sample]! - truth[sample]!) ** 2;
  }
  return { rmse: Math.sqrt(noise / truth.length), snr: 10 * Math.log10(signal / noise) };
}
