// The innermost part of the matrix product: 4 rows of A times a panel of 8 columns, summed in 8 registers. Larger tiles and
// unrolled loops are slower: V8 then keeps sums in memory.
import { RELU_ACTIVATION } from '../fields/matrixFields';
import { storeFirst } from './lanes';
import { addProduct4 } from './multiplyAdd';

export const TILE_ROWS: i32 = 4;
export const TILE_COLUMNS: i32 = 8;

@inline
function finish(given: v128, to: usize, columns: i32, bias: usize, starts: bool, activation: i32): void {
  let sum = given;
  if (!starts) sum = f32x4.add(sum, v128.load(to));
  if (bias != 0) sum = f32x4.add(sum, v128.load(bias));
  if (activation == RELU_ACTIVATION) sum = f32x4.pmax(sum, f32x4.splat(0));
  if (columns >= 4) v128.store(to, sum);
  else storeFirst(to, sum, columns);
}

@inline
function finishRow(left: v128, right: v128, to: usize, columns: i32, bias: usize, starts: bool, activation: i32): void {
  finish(left, to, columns, bias, starts, activation);
  if (columns > 4) finish(right, to + 16, columns - 4, bias == 0 ? 0 : bias + 16, starts, activation);
}

/**
 * The first min(`rows`, 4) rows and min(`columns`, 8) columns at `c` become (`starts`) or gain A's rows times the panel,
 * plus `bias` (if not 0), then the activation. A's element (i, p) is at a + i `aRow` + p `aInner`.
 */
export function tile(
  a: usize, aRow: usize, aInner: usize, panel: usize, depth: i32, c: usize, cRow: usize,
  rows: i32, columns: i32, bias: usize, starts: bool, activation: i32,
): void {
  if (rows < TILE_ROWS) {
    for (let row = 0; row < rows; row++) tileRow(a + <usize>row * aRow, aInner, panel, depth, c + <usize>row * cRow, columns, bias, starts, activation);
    return;
  }
  let s00 = f32x4.splat(0);
  let s01 = f32x4.splat(0);
  let s10 = f32x4.splat(0);
  let s11 = f32x4.splat(0);
  let s20 = f32x4.splat(0);
  let s21 = f32x4.splat(0);
  let s30 = f32x4.splat(0);
  let s31 = f32x4.splat(0);
  // Places are stepped before they are read from: V8 copies one that comes from the turn before.
  let x = a - aInner;
  let y = panel - 32;
  const last = y + (<usize>depth << 5);
  while (y != last) {
    x += aInner;
    y += 32;
    const b0 = v128.load(y);
    const b1 = v128.load(y, 16);
    const x0 = v128.load32_splat(x);
    s00 = addProduct4(s00, x0, b0);
    s01 = addProduct4(s01, x0, b1);
    const at1 = x + aRow;
    const x1 = v128.load32_splat(at1);
    s10 = addProduct4(s10, x1, b0);
    s11 = addProduct4(s11, x1, b1);
    const at2 = at1 + aRow;
    const x2 = v128.load32_splat(at2);
    s20 = addProduct4(s20, x2, b0);
    s21 = addProduct4(s21, x2, b1);
    const x3 = v128.load32_splat(at2 + aRow);
    s30 = addProduct4(s30, x3, b0);
    s31 = addProduct4(s31, x3, b1);
  }
  finishRow(s00, s01, c, columns, bias, starts, activation);
  finishRow(s10, s11, c + cRow, columns, bias, starts, activation);
  finishRow(s20, s21, c + 2 * cRow, columns, bias, starts, activation);
  finishRow(s30, s31, c + 3 * cRow, columns, bias, starts, activation);
}

/** One row of a tile, summed in the same order. */
function tileRow(
  a: usize, aInner: usize, panel: usize, depth: i32, c: usize, columns: i32, bias: usize, starts: bool, activation: i32,
): void {
  let s0 = f32x4.splat(0);
  let s1 = f32x4.splat(0);
  let x = a - aInner;
  let y = panel - 32;
  const last = y + (<usize>depth << 5);
  while (y != last) {
    x += aInner;
    y += 32;
    const x0 = v128.load32_splat(x);
    s0 = addProduct4(s0, x0, v128.load(y));
    s1 = addProduct4(s1, x0, v128.load(y, 16));
  }
  finishRow(s0, s1, c, columns, bias, starts, activation);
}
