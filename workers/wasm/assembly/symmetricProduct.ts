// y = alpha A x + beta x + gamma z for a symmetric sparse matrix and blocks of four columns of doubles, from the entries above
// the diagonal alone: each is read once and used twice. An entry (i, j) adds to rows i and j of the sums, so every lane has
// sums of its own, of all rows; they lie beside x, row by row, so that one address serves both.

import { partStart } from './lanes';
import { addProduct2 } from './multiplyAdd';
import { word } from './words';

/** Bytes of a row of `pairs`: four columns of x, four sums. */
const ROW: usize = 64;
const ROW_SHIFT: usize = 6;

/**
 * `pairs` (lanes, size, 8) = x beside the sums of the entries of this lane, in rows from `shares[lane]` to before
 * `shares[lane + 1]`; offsets, indices and values are those of the strict upper triangle.
 */
export function symmetricProduct4(
  lane: i32,
  lanes: i32,
  shares: usize,
  offsets: usize,
  indices: usize,
  values: usize,
  x: usize,
  pairs: usize,
  size: i32,
): void {
  const own = pairs + <usize>(lane * size) * ROW;
  const zero = f64x2.splat(0);
  for (let row = 0; row < size; row++) {
    const from = x + (<usize>row << 5);
    const to = own + (<usize>row << ROW_SHIFT);
    v128.store(to, v128.load(from));
    v128.store(to, v128.load(from, 16), 16);
    v128.store(to, zero, 32);
    v128.store(to, zero, 48);
  }
  const last = word(shares, lane + 1);
  for (let row = word(shares, lane); row < last; row++) {
    const at = own + (<usize>row << ROW_SHIFT);
    const x0 = v128.load(at);
    const x1 = v128.load(at, 16);
    let s0 = v128.load(at, 32);
    let s1 = v128.load(at, 48);
    let index = indices + (<usize>word(offsets, row) << 2);
    let value = values + (<usize>word(offsets, row) << 3);
    const end = indices + (<usize>word(offsets, row + 1) << 2);
    for (; index < end; index += 4, value += 8) {
      const a = v128.load64_splat(value);
      const other = own + (<usize>load<u32>(index) << ROW_SHIFT);
      s0 = addProduct2(s0, a, v128.load(other));
      s1 = addProduct2(s1, a, v128.load(other, 16));
      v128.store(other, addProduct2(v128.load(other, 32), a, x0), 32);
      v128.store(other, addProduct2(v128.load(other, 48), a, x1), 48);
    }
    v128.store(at, s0, 32);
    v128.store(at, s1, 48);
  }
}

/** y = alpha A x + beta x + gamma z from the sums of all lanes in `pairs` and the diagonal (size); z may be y. */
export function symmetricRecurrence4(
  lane: i32,
  lanes: i32,
  pairs: usize,
  parts: i32,
  diagonal: usize,
  size: i32,
  z: usize,
  y: usize,
  alpha: f64,
  beta: f64,
  gamma: f64,
): void {
  const a2 = f64x2.splat(alpha);
  const b2 = f64x2.splat(beta);
  const g2 = f64x2.splat(gamma);
  const last = partStart(size, lane + 1, lanes, 1);
  for (let row = partStart(size, lane, lanes, 1); row < last; row++) {
    const x0 = v128.load(pairs + (<usize>row << ROW_SHIFT));
    const x1 = v128.load(pairs + (<usize>row << ROW_SHIFT), 16);
    const d = v128.load64_splat(diagonal + (<usize>row << 3));
    let s0 = f64x2.mul(d, x0);
    let s1 = f64x2.mul(d, x1);
    for (let part = 0; part < parts; part++) {
      const at = pairs + <usize>(part * size + row) * ROW;
      s0 = f64x2.add(s0, v128.load(at, 32));
      s1 = f64x2.add(s1, v128.load(at, 48));
    }
    s0 = addProduct2(f64x2.mul(a2, s0), b2, x0);
    s1 = addProduct2(f64x2.mul(a2, s1), b2, x1);
    const to = <usize>row << 5;
    if (gamma != 0) {
      s0 = addProduct2(s0, g2, v128.load(z + to));
      s1 = addProduct2(s1, g2, v128.load(z + to, 16));
    }
    v128.store(y + to, s0);
    v128.store(y + to, s1, 16);
  }
}
