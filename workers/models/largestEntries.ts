/**
 * The `k` candidates with the largest values, ties to the lowest candidate: the first entries of `candidates[0 .. count)`,
 * which is reordered in place; they stand in no particular order. `values` is indexed by candidate. Returns how many there
 * are, min(k, count). A heap of k entries with the weakest on top: O(count log k).
 */
export function largestEntries(
  candidates: Uint32Array,
  values: Float64Array,
  { count, k }: { count: number; k: number },
): number {
  if (count <= k) return count;
  const weaker = (a: number, b: number): boolean => {
    const difference = values[a]! - values[b]!;
    return difference < 0 || (difference === 0 && a > b);
  };
  const siftDown = (start: number): void => {
    const moved = candidates[start]!;
    let hole = start;
    for (let child = 2 * hole + 1; child < k; child = 2 * hole + 1) {
      if (child + 1 < k && weaker(candidates[child + 1]!, candidates[child]!)) child++;
      if (!weaker(candidates[child]!, moved)) break;
      candidates[hole] = candidates[child]!;
      hole = child;
    }
    candidates[hole] = moved;
  };
  for (let node = (k >>> 1) - 1; node >= 0; node--) siftDown(node);
  for (let next = k; next < count; next++) {
    if (!weaker(candidates[0]!, candidates[next]!)) continue;
    candidates[0] = candidates[next]!;
    siftDown(0);
  }
  return k;
}
