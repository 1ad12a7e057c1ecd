/** Part of the values that may lie beyond each end. */
const TAIL = 0.01;
/** Values that are sorted, of very many every so many. */
const SAMPLED = 20_000;

/** From the 1st to the 99th percentile of the finite values, with a twentieth of it around; null without values. */
export function outlierRange(lists: readonly (readonly number[])[]): { low: number; high: number } | null {
  const total = lists.reduce((sum, list) => sum + list.length, 0);
  const stride = Math.max(1, Math.ceil(total / SAMPLED));
  const values: number[] = [];
  let at = 0;
  for (const list of lists) {
    for (; at < list.length; at += stride) if (Number.isFinite(list[at])) values.push(list[at]!);
    at -= list.length;
  }
  if (values.length === 0) return null;
  const sorted = Float64Array.from(values).sort();
  const [low, high] = [quantile(sorted, TAIL), quantile(sorted, 1 - TAIL)];
  const margin = (high - low) * 0.05;
  return { low: low - margin, high: high + margin };
}

/** A quantile of sorted values, between two of them by a straight line (R's type 7, numpy's default). */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const place = share * (sorted.length - 1);
  const [below, above] = [Math.floor(place), Math.ceil(place)];
  return sorted[below]! + (place - below) * (sorted[above]! - sorted[below]!);
}
