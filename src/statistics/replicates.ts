/** Mean and spread of one metric over replicates: runs that share a configuration and differ in seed. */
export interface ReplicateSummary {
  mean: number;
  /** Sample standard deviation, with n - 1 in the denominator; null for one value. */
  standardDeviation: number | null;
  n: number;
}

/** Sum with Neumaier's compensation, exact to about the last bit: Neumaier 1974, ZAMM 54, 39-51. */
function compensatedSum(values: ArrayLike<number>): number {
  let sum = 0;
  let lost = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at]!;
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return Number.isFinite(sum) ? sum + lost : sum;
}

/** The mean that `summarizeReplicates` tells, bit by bit, without the work that its deviation takes. NaN of no values. */
export function meanOfReplicates(values: ArrayLike<number>): number {
  return compensatedSum(values) / values.length;
}

/**
 * Mean, sample standard deviation and count. The deviation is taken in two passes, so that a large common offset costs no
 * digits. A NaN or an infinite value makes both NaN or infinite, as it should be seen.
 * @param values One a replicate; at least one.
 */
export function summarizeReplicates(values: readonly number[]): ReplicateSummary {
  const n = values.length;
  if (n === 0) throw new RangeError('a summary of replicates needs at least one value, received none');
  const mean = meanOfReplicates(values);
  if (n === 1) return { mean, standardDeviation: null, n };
  const residuals = values.map((value) => value - mean);
  const squares = compensatedSum(residuals.map((residual) => residual * residual));
  // The second term removes what rounding of the mean left: Chan, Golub, LeVeque 1983, The American Statistician 37, eq. 1.7.
  const correction = compensatedSum(residuals) ** 2 / n;
  return { mean, standardDeviation: Math.sqrt(Math.max(0, squares - correction) / (n - 1)), n };
}
