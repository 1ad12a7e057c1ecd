export interface ReplicateStatistics {
  mean: number;
  /** Sample standard deviation; null for one value. */
  standardDeviation: number | null;
  n: number;
}

/** Mean and sample standard deviation (n − 1) by Welford's update; null for no values. */
export function replicateStatistics(values: readonly number[]): ReplicateStatistics | null {
  if (values.length === 0) return null;
  let mean = 0;
  let squares = 0;
  values.forEach((value, index) => {
    const delta = value - mean;
    mean += delta / (index + 1);
    squares += delta * (value - mean);
  });
  const n = values.length;
  return { mean, standardDeviation: n > 1 ? Math.sqrt(squares / (n - 1)) : null, n };
}
