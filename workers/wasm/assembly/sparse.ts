// Products of a sparse matrix in compressed rows (offsets and indices as 32-bit words) with dense row-major blocks.
// Each lane has the rows from `shares[lane]` to before `shares[lane + 1]`; each row is summed in the order of its entries,
// so the result does not depend on the number of lanes. Reference implementation: workers/math/sparse/sparseProduct.ts.

import { addProduct } from './multiplyAdd';
import { word } from './words';

/** y (rows, width) = A x, all doubles. */
export function sparseProduct64(
  lane: i32,
  lanes: i32,
  shares: usize,
  offsets: usize,
  indices: usize,
  values: usize,
  x: usize,
  y: usize,
  width: i32,
): void {
  product<f64>(lane, shares, offsets, indices, values, x, y, width);
}

/** y (rows, width) = A x, all floats. */
export function sparseProduct32(
  lane: i32,
  lanes: i32,
  shares: usize,
  offsets: usize,
  indices: usize,
  values: usize,
  x: usize,
  y: usize,
  width: i32,
): void {
  product<f32>(lane, shares, offsets, indices, values, x, y, width);
}

@inline
function product<T>(
  lane: i32,
  shares: usize,
  offsets: usize,
  indices: usize,
  values: usize,
  x: usize,
  y: usize,
  width: i32,
): void {
  const size = sizeof<T>();
  const wide = 128 / <i32>size;
  const narrow = 32 / <i32>size;
  const stride = <usize>width * size;
  const last = word(shares, lane + 1);
  for (let row = word(shares, lane); row < last; row++) {
    const from = <usize>load<u32>(offsets + (<usize>row << 2));
    const to = <usize>load<u32>(offsets + (<usize>row << 2), 4);
    const index = indices + (from << 2);
    const end = indices + (to << 2);
    const value = values + from * size;
    let out = y + <usize>row * stride;
    let column: i32 = 0;
    let base = x;
    for (; column + wide <= width; column += wide, base += 128, out += 128) eightVectors<T>(index, end, value, base, stride, out);
    for (; column + narrow <= width; column += narrow, base += 32, out += 32) twoVectors<T>(index, end, value, base, stride, out);
    for (; column < width; column++, base += size, out += size) oneNumber<T>(index, end, value, base, stride, out);
  }
}

/** Of one row, the columns that eight vectors hold. */
function eightVectors<T>(from: usize, end: usize, values: usize, x: usize, stride: usize, out: usize): void {
  let s0 = v128.splat<T>(<T>0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  let s4 = s0;
  let s5 = s0;
  let s6 = s0;
  let s7 = s0;
  let value = values;
  for (let index = from; index < end; index += 4, value += sizeof<T>()) {
    const a = v128.load_splat<T>(value);
    const at = x + <usize>load<u32>(index) * stride;
    s0 = addProduct<T>(s0, a, v128.load(at));
    s1 = addProduct<T>(s1, a, v128.load(at, 16));
    s2 = addProduct<T>(s2, a, v128.load(at, 32));
    s3 = addProduct<T>(s3, a, v128.load(at, 48));
    s4 = addProduct<T>(s4, a, v128.load(at, 64));
    s5 = addProduct<T>(s5, a, v128.load(at, 80));
    s6 = addProduct<T>(s6, a, v128.load(at, 96));
    s7 = addProduct<T>(s7, a, v128.load(at, 112));
  }
  v128.store(out, s0);
  v128.store(out, s1, 16);
  v128.store(out, s2, 32);
  v128.store(out, s3, 48);
  v128.store(out, s4, 64);
  v128.store(out, s5, 80);
  v128.store(out, s6, 96);
  v128.store(out, s7, 112);
}

function twoVectors<T>(from: usize, end: usize, values: usize, x: usize, stride: usize, out: usize): void {
  let s0 = v128.splat<T>(<T>0);
  let s1 = s0;
  let value = values;
  for (let index = from; index < end; index += 4, value += sizeof<T>()) {
    const a = v128.load_splat<T>(value);
    const at = x + <usize>load<u32>(index) * stride;
    s0 = addProduct<T>(s0, a, v128.load(at));
    s1 = addProduct<T>(s1, a, v128.load(at, 16));
  }
  v128.store(out, s0);
  v128.store(out, s1, 16);
}

function oneNumber<T>(from: usize, end: usize, values: usize, x: usize, stride: usize, out: usize): void {
  let sum: T = <T>0;
  let value = values;
  for (let index = from; index < end; index += 4, value += sizeof<T>()) {
    sum += load<T>(value) * load<T>(x + <usize>load<u32>(index) * stride);
  }
  store<T>(out, sum);
}
