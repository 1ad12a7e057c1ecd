// Products of a binary sparse matrix with a dense one: sums of the rows that each list names. Matrices are panels of 16
// columns, doubles, the rows of a panel one behind the other, so that a pass over rows in any order stays in a panel.
// The product comes transposed, in panels again: workers/wasm/linearAlgebra/binaryProjection.ts multiplies from both sides.
import { word } from './words';

/** Columns of a panel, and bytes of one of its rows. */
const PANEL_COLUMNS: i32 = 16;
const ROW_BYTES: usize = 128;

/**
 * Y' for Y = B X: row i of B (`rows` of them) has ones at `indices` from `offsets[i]` to before `offsets[i + 1]`. X at `x` has
 * `xRows` rows and 16 times `panels` columns; Y' at `y` has `yRows` rows, one for each of these, and room for whole panels.
 * Where Y is `symmetric`, only what is on and below its diagonal is computed. Sums are in the order of their lists, so lanes
 * change no bits.
 */
export function listedSums(
  lane: i32, lanes: i32, offsets: usize, indices: usize, rows: i32, x: usize, xRows: i32, panels: i32,
  y: usize, yRows: i32, symmetric: i32,
): void {
  for (let panel = lane; panel < panels; panel += lanes) {
    const from = x + <usize>panel * <usize>xRows * ROW_BYTES;
    const line = y + <usize>(panel * PANEL_COLUMNS) * ROW_BYTES;
    for (let row = symmetric ? panel * PANEL_COLUMNS : 0; row < rows; row++) {
      const first = indices + (<usize>word(offsets, row) << 2);
      const end = indices + (<usize>word(offsets, row + 1) << 2);
      sumRows(first, end, from, line + <usize>(row >> 4) * <usize>yRows * ROW_BYTES + (<usize>(row & 15) << 3));
    }
  }
}

/** The sum of the rows at `x` that are listed, sixteen doubles, down a column of a panel at `to`. */
@inline
function sumRows(first: usize, end: usize, x: usize, to: usize): void {
  let s0 = f64x2.splat(0);
  let s1 = f64x2.splat(0);
  let s2 = f64x2.splat(0);
  let s3 = f64x2.splat(0);
  let s4 = f64x2.splat(0);
  let s5 = f64x2.splat(0);
  let s6 = f64x2.splat(0);
  let s7 = f64x2.splat(0);
  for (let index = first; index < end; index += 4) {
    const row = x + <usize>load<u32>(index) * ROW_BYTES;
    s0 = f64x2.add(s0, v128.load(row));
    s1 = f64x2.add(s1, v128.load(row, 16));
    s2 = f64x2.add(s2, v128.load(row, 32));
    s3 = f64x2.add(s3, v128.load(row, 48));
    s4 = f64x2.add(s4, v128.load(row, 64));
    s5 = f64x2.add(s5, v128.load(row, 80));
    s6 = f64x2.add(s6, v128.load(row, 96));
    s7 = f64x2.add(s7, v128.load(row, 112));
  }
  storeTwo(to, s0);
  storeTwo(to + 2 * ROW_BYTES, s1);
  storeTwo(to + 4 * ROW_BYTES, s2);
  storeTwo(to + 6 * ROW_BYTES, s3);
  storeTwo(to + 8 * ROW_BYTES, s4);
  storeTwo(to + 10 * ROW_BYTES, s5);
  storeTwo(to + 12 * ROW_BYTES, s6);
  storeTwo(to + 14 * ROW_BYTES, s7);
}

@inline
function storeTwo(to: usize, values: v128): void {
  f64.store(to, f64x2.extract_lane(values, 0));
  f64.store(to, f64x2.extract_lane(values, 1), 128);
}
