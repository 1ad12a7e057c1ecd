// The innermost part of the matrix product: 4 rows of A times a panel of 8 columns, summed in 8 registers. Larger tiles and
// unrolled loops are slower: V8 then keeps sums in memory.
import { RELU_ACTIVATION } from '../fields/matrixFields';
import { storeFirst } from './lanes';

export const TILE_ROWS: i32 = 4;
export const TILE_COLUMNS: i32 = 8;

@inline
function multiplyAdd(sum: v128, x: v128, y: v128): v128 {
  return f32x4.add(sum, f32x4.mul(x, y));
}

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
  let a0 = a;
  // Rows that are not there repeat the last one and are not stored.
  let a1 = rows > 1 ? a0 + aRow : a0;
  let a2 = rows > 2 ? a1 + aRow : a1;
  let a3 = rows > 3 ? a2 + aRow : a2;
  let s00 = f32x4.splat(0);
  let s01 = f32x4.splat(0);
  let s10 = f32x4.splat(0);
  let s11 = f32x4.splat(0);
  let s20 = f32x4.splat(0);
  let s21 = f32x4.splat(0);
  let s30 = f32x4.splat(0);
  let s31 = f32x4.splat(0);
  for (let left = depth; left > 0; left--) {
    const b0 = v128.load(panel);
    const b1 = v128.load(panel, 16);
    const x0 = v128.load32_splat(a0);
    s00 = multiplyAdd(s00, x0, b0);
    s01 = multiplyAdd(s01, x0, b1);
    a0 += aInner;
    const x1 = v128.load32_splat(a1);
    s10 = multiplyAdd(s10, x1, b0);
    s11 = multiplyAdd(s11, x1, b1);
    a1 += aInner;
    const x2 = v128.load32_splat(a2);
    s20 = multiplyAdd(s20, x2, b0);
    s21 = multiplyAdd(s21, x2, b1);
    a2 += aInner;
    const x3 = v128.load32_splat(a3);
    s30 = multiplyAdd(s30, x3, b0);
    s31 = multiplyAdd(s31, x3, b1);
    a3 += aInner;
    panel += 32;
  }
  finishRow(s00, s01, c, columns, bias, starts, activation);
  if (rows > 1) finishRow(s10, s11, c + cRow, columns, bias, starts, activation);
  if (rows > 2) finishRow(s20, s21, c + 2 * cRow, columns, bias, starts, activation);
  if (rows > 3) finishRow(s30, s31, c + 3 * cRow, columns, bias, starts, activation);
}
