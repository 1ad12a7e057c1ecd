import type { NumberTable, Progress } from './numberTable.ts';

/** The rows nearest to one row. */
export interface RowNeighbours {
  /** Row numbers, nearest first; of equally near ones the lower number first. */
  rows: Int32Array;
  cosines: Float64Array;
}

/** Rows over their lengths, in double precision. Rows of zeros stay: their cosine with any row is 0. */
export function unitRows({ rows, columns, values }: NumberTable): NumberTable & { values: Float64Array } {
  const unit = new Float64Array(values.length);
  for (let from = 0; from < values.length; from += columns) {
    let square = 0;
    for (let at = from; at < from + columns; at++) square += values[at]! * values[at]!;
    if (square === 0) continue;
    const length = Math.sqrt(square);
    for (let at = from; at < from + columns; at++) unit[at] = values[at]! / length;
  }
  return { rows, columns, values: unit };
}

/** The `count` other rows of largest cosine with a row, by comparing it with all. @param unit From `unitRows`. */
export function nearestRows(unit: NumberTable, row: number, count: number): RowNeighbours {
  const { rows, columns, values } = unit;
  const lists = neighbourLists(1, Math.min(count, rows - 1));
  for (let other = 0; other < rows; other++) {
    if (other !== row) lists.offer(0, other, dot(values, row * columns, other * columns, columns));
  }
  return { rows: lists.rows, cosines: lists.cosines };
}

/** Rows whose numbers stay in the cache of a processor while they are compared with as many others. */
const TILE = 64;

/** The `count` nearest other rows of every row, (rows, count), by comparing all with all. @param unit From `unitRows`. */
export function nearestOfAll(unit: NumberTable, count: number, progress: Progress = () => {}): RowNeighbours {
  const { rows, columns, values } = unit;
  const lists = neighbourLists(rows, Math.min(count, rows - 1));
  const cosines = new Float64Array(TILE);
  for (let from = 0; from < rows; from += TILE) {
    // of half a square
    progress(1 - ((rows - from) / rows) ** 2);
    for (let others = from; others < rows; others += TILE) {
      const end = Math.min(rows, others + TILE);
      for (let row = from; row < Math.min(rows, from + TILE); row++) {
        const first = Math.max(others, row + 1);
        dots(values, { row, first, end, columns }, cosines);
        for (let other = first; other < end; other++) {
          const cosine = cosines[other - first]!;
          if (cosine > lists.least[row]!) lists.offer(row, other, cosine);
          if (cosine > lists.least[other]!) lists.offer(other, row, cosine);
        }
      }
    }
  }
  return { rows: lists.rows, cosines: lists.cosines };
}

interface NeighbourLists extends RowNeighbours {
  /** (lists) The smallest cosine that each has: smaller ones need not be offered. */
  least: Float64Array;
  /** Rows are offered to each list in ascending order, so that of equals the lower number stays in front. */
  offer(list: number, row: number, cosine: number): void;
}

function neighbourLists(lists: number, count: number): NeighbourLists {
  const rows = new Int32Array(lists * count).fill(-1);
  const cosines = new Float64Array(lists * count).fill(Number.NEGATIVE_INFINITY);
  const least = new Float64Array(lists).fill(count === 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY);
  return {
    rows,
    cosines,
    least,
    offer(list, row, cosine) {
      const first = list * count;
      let at = first + count - 1;
      if (count === 0 || !(cosine > cosines[at]!)) return;
      for (; at > first && cosine > cosines[at - 1]!; at--) {
        cosines[at] = cosines[at - 1]!;
        rows[at] = rows[at - 1]!;
      }
      cosines[at] = cosine;
      rows[at] = row;
      least[list] = cosines[first + count - 1]!;
    },
  };
}

/** Four sums beside each other, which a processor adds at once. */
function dot(values: ArrayLike<number>, a: number, b: number, columns: number): number {
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  let i = 0;
  for (; i + 3 < columns; i += 4) {
    s0 += values[a + i]! * values[b + i]!;
    s1 += values[a + i + 1]! * values[b + i + 1]!;
    s2 += values[a + i + 2]! * values[b + i + 2]!;
    s3 += values[a + i + 3]! * values[b + i + 3]!;
  }
  for (; i < columns; i++) s0 += values[a + i]! * values[b + i]!;
  return s0 + s1 + (s2 + s3);
}

interface DotsRequest {
  row: number;
  /** The others: from `first` up to, not including, `end`. */
  first: number;
  end: number;
  columns: number;
}

/** Products of a row with others, four at once, so that each number of the row is read once for them. */
function dots(values: ArrayLike<number>, { row, first, end, columns }: DotsRequest, products: Float64Array): void {
  const at = row * columns;
  let other = first;
  for (; other + 3 < end; other += 4) {
    const [b0, b1, b2, b3] = [other * columns, (other + 1) * columns, (other + 2) * columns, (other + 3) * columns];
    let [s0, s1, s2, s3] = [0, 0, 0, 0];
    for (let i = 0; i < columns; i++) {
      const value = values[at + i]!;
      s0 += value * values[b0 + i]!;
      s1 += value * values[b1 + i]!;
      s2 += value * values[b2 + i]!;
      s3 += value * values[b3 + i]!;
    }
    products[other - first] = s0;
    products[other - first + 1] = s1;
    products[other - first + 2] = s2;
    products[other - first + 3] = s3;
  }
  for (; other < end; other++) {
    let sum = 0;
    for (let i = 0; i < columns; i++) sum += values[at + i]! * values[other * columns + i]!;
    products[other - first] = sum;
  }
}
