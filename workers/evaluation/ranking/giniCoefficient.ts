/**
 * Gini coefficient of amounts that are 0 or more: 0 where all are equal, (n - 1) / n where one has everything. Of sorted
 * amounts x_1 <= … <= x_n it is sum_i (2 i - n - 1) x_i / (n sum_i x_i). NaN where there is nothing to share out.
 */
export function giniCoefficient(amounts: ArrayLike<number>): number {
  const sorted = Float64Array.from(amounts).sort();
  let weighted = 0;
  let total = 0;
  for (let index = 0; index < sorted.length; index++) {
    weighted += (2 * index + 1 - sorted.length) * sorted[index]!;
    total += sorted[index]!;
  }
  return weighted / (sorted.length * total);
}
