/** Which rank equal values get: the smallest of the places that they take, or the mean of them. */
export type TiedRanks = 'smallest' | 'mean';

/** 1-based ranks of values in ascending order. */
export function ranksOf(values: readonly number[], ties: TiedRanks): number[] {
  const order = [...values.keys()].sort((a, b) => values[a]! - values[b]!);
  const ranks = new Array<number>(values.length);
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && values[order[end]!] === values[order[start]!]) end++;
    const rank = ties === 'smallest' ? start + 1 : (start + 1 + end) / 2;
    for (; start < end; start++) ranks[order[start]!] = rank;
  }
  return ranks;
}
