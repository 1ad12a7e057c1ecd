import { betaQuantile } from './betaDistribution.ts';

/**
 * Interval of the ratio of two standard deviations, each over `n` independent normal values: the ratio that was found, less and more by the
 * root of the F distribution's quantile with n - 1 and n - 1 degrees of freedom. F = x / (1 - x) of a beta variable.
 * @throws RangeError for fewer than two values.
 */
export function deviationRatioInterval(ratio: number, { n, level }: { n: number; level: number }): [number, number] {
  if (!(n >= 2)) throw new RangeError(`a deviation needs at least two values, received ${n}`);
  const half = (n - 1) / 2;
  const x = betaQuantile((1 + level) / 2, { a: half, b: half });
  const factor = Math.sqrt(x / (1 - x));
  return [ratio / factor, ratio * factor];
}
