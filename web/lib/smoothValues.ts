/**
 * Exponential moving average with bias correction, the smoothing of TensorBoard's scalar charts: weight 0 changes
 * nothing, towards 1 the curve grows smoother. Values that are not finite stay and do not enter the average.
 */
export function smoothValues(values: readonly number[], weight: number): number[] {
  if (weight <= 0) return [...values];
  let average = 0;
  let count = 0;
  return values.map((value) => {
    if (!Number.isFinite(value)) return value;
    average = weight * average + (1 - weight) * value;
    count += 1;
    return average / (1 - weight ** count);
  });
}
