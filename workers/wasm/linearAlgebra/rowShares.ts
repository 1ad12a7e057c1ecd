/**
 * (lanes + 1) Where the rows of each lane begin, so that lanes have about the same number of entries; a row counts as
 * eight entries more than it has.
 */
export function rowShares(offsets: Uint32Array, lanes: number): Uint32Array {
  const rowCount = offsets.length - 1;
  const weightBefore = (row: number) => offsets[row]! + 8 * row;
  const total = weightBefore(rowCount);
  const shares = new Uint32Array(lanes + 1);
  for (let lane = 1; lane <= lanes; lane++) {
    let [low, high] = [shares[lane - 1]!, rowCount];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (weightBefore(middle) < (total * lane) / lanes) low = middle + 1;
      else high = middle;
    }
    shares[lane] = low;
  }
  shares[lanes] = rowCount;
  return shares;
}
