/** 1-based ranks of values in ascending order; equal ones get the mean of the places that they take. */
export function ranksOf(values: readonly number[]): number[] {
  const order = [...values.keys()].sort((a, b) => values[a]! - values[b]!);
  const ranks = new Array<number>(values.length);
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && values[order[end]!] === values[order[start]!]) end++;
    const rank = (start + 1 + end) / 2;
    for (; start < end; start++) ranks[order[start]!] = rank;
  }
  return ranks;
}
