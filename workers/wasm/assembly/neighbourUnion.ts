import { partStart } from './lanes';
import { unsignedWord } from './words';

// Makes a directed graph with `neighbours` slots a row, columns ascending, undirected: an edge stands where either end has
// the other. First its reverse, lanes dividing the columns, then both merged, lanes dividing the rows.

/** The first slot of a row from `low` to before `high` whose column is not below `column`. */
function firstFrom(columns: usize, low: usize, high: usize, column: u32): usize {
  while (low < high) {
    const middle = (low + high) >> 1;
    if (unsignedWord(columns, middle) < column) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Adds to `degrees` (nodes, zeroed) how many rows have each node. */
export function countReverse(
  lane: i32,
  lanes: i32,
  nodes: i32,
  neighbours: i32,
  counts: usize,
  columns: usize,
  degrees: usize,
): void {
  const first = <u32>partStart(nodes, lane, lanes, 16);
  const last = <u32>partStart(nodes, lane + 1, lanes, 16);
  for (let row: i32 = 0; row < nodes; row++) {
    const start = <usize>row * <usize>neighbours;
    const end = start + <usize>unsignedWord(counts, row);
    for (let slot = firstFrom(columns, start, end, first); slot < end; slot++) {
      const column = unsignedWord(columns, slot);
      if (column >= last) break;
      const degree = degrees + (<usize>column << 2);
      store<u32>(degree, load<u32>(degree) + 1);
    }
  }
}

/** Writes the rows that have each node, ascending, and their values; `cursors` (nodes) go from where a node's begin to their end. */
export function fillReverse(
  lane: i32,
  lanes: i32,
  nodes: i32,
  neighbours: i32,
  counts: usize,
  columns: usize,
  values: usize,
  cursors: usize,
  outRows: usize,
  outValues: usize,
): void {
  const first = <u32>partStart(nodes, lane, lanes, 16);
  const last = <u32>partStart(nodes, lane + 1, lanes, 16);
  for (let row: i32 = 0; row < nodes; row++) {
    const start = <usize>row * <usize>neighbours;
    const end = start + <usize>unsignedWord(counts, row);
    for (let slot = firstFrom(columns, start, end, first); slot < end; slot++) {
      const column = unsignedWord(columns, slot);
      if (column >= last) break;
      const cursor = cursors + (<usize>column << 2);
      const place = <usize>load<u32>(cursor);
      store<u32>(cursor, <u32>place + 1);
      store<i32>(outRows + (place << 2), row);
      store<f64>(outValues + (place << 3), load<f64>(values + (slot << 3)));
    }
  }
}

/**
 * Merges each row with its reverse, `reverseEnds[row - 1]` to before `reverseEnds[row]`. With `outColumns` 0 it only counts,
 * into `outOffsets[row + 1]`; else it writes from `outOffsets[row]` on.
 */
export function mergeReverse(
  lane: i32,
  lanes: i32,
  nodes: i32,
  neighbours: i32,
  counts: usize,
  columns: usize,
  values: usize,
  reverseEnds: usize,
  reverseRows: usize,
  reverseValues: usize,
  outOffsets: usize,
  outColumns: usize,
  outValues: usize,
): void {
  const lastRow = partStart(nodes, lane + 1, lanes, 1);
  for (let row = partStart(nodes, lane, lanes, 1); row < lastRow; row++) {
    let left = <usize>row * <usize>neighbours;
    const leftEnd = left + <usize>unsignedWord(counts, row);
    let right = row > 0 ? <usize>unsignedWord(reverseEnds, row - 1) : 0;
    const rightEnd = <usize>unsignedWord(reverseEnds, row);
    const start = outColumns === 0 ? <usize>0 : <usize>unsignedWord(outOffsets, row);
    let place = start;
    while (left < leftEnd || right < rightEnd) {
      const a = left < leftEnd ? unsignedWord(columns, left) : u32.MAX_VALUE;
      const b = right < rightEnd ? unsignedWord(reverseRows, right) : u32.MAX_VALUE;
      if (outColumns !== 0) {
        store<u32>(outColumns + (place << 2), min(a, b));
        const value = a <= b ? values + (left << 3) : reverseValues + (right << 3);
        store<f64>(outValues + (place << 3), load<f64>(value));
      }
      place += 1;
      left += <usize>(a <= b);
      right += <usize>(b <= a);
    }
    if (outColumns === 0) store<u32>(outOffsets + (<usize>row << 2), <u32>(place - start), 4);
  }
}
