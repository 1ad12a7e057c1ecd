// One layer of message passing over a graph. Rows are shared out as in sparse.ts, and each is summed in the order of its entries.
// Reference implementation: workers/math/sparse/sparsePropagation.ts.

import { addProduct4 } from './multiplyAdd';
import { word } from './words';

/** y (rows, width) = alpha A x + gamma z, all floats; z may be y, x may not. */
export function sparsePropagation32(
  lane: i32, lanes: i32, shares: usize, offsets: usize, indices: usize, values: usize, x: usize, z: usize, y: usize,
  width: i32, alpha: f32, gamma: f32,
): void {
  const stride = <usize>width << 2;
  const first = word(shares, lane);
  const last = word(shares, lane + 1);
  for (let row = first; row < last; row++) {
    const from = <usize>load<u32>(offsets + (<usize>row << 2));
    const to = <usize>load<u32>(offsets + (<usize>row << 2), 4);
    const index = indices + (from << 2);
    const end = indices + (to << 2);
    const value = values + (from << 2);
    let at = <usize>row * stride;
    let column: i32 = 0;
    let base = x;
    for (; column + 32 <= width; column += 32, base += 128, at += 128) {
      row32(index, end, value, base, stride, z + at, y + at, alpha, gamma);
    }
    for (; column + 4 <= width; column += 4, base += 16, at += 16) {
      row4(index, end, value, base, stride, z + at, y + at, alpha, gamma);
    }
    for (; column < width; column++, base += 4, at += 4) {
      row1(index, end, value, base, stride, z + at, y + at, alpha, gamma);
    }
  }
}

@inline
function blend(sum: v128, alpha: v128, z: usize, gamma: v128): v128 {
  return addProduct4(f32x4.mul(sum, alpha), v128.load(z), gamma);
}

function row32(
  from: usize, end: usize, values: usize, x: usize, stride: usize, z: usize, out: usize, alpha: f32, gamma: f32,
): void {
  let s0 = f32x4.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  let s4 = s0;
  let s5 = s0;
  let s6 = s0;
  let s7 = s0;
  let value = values;
  for (let index = from; index < end; index += 4, value += 4) {
    const a = v128.load32_splat(value);
    const at = x + <usize>load<u32>(index) * stride;
    s0 = addProduct4(s0, a, v128.load(at));
    s1 = addProduct4(s1, a, v128.load(at, 16));
    s2 = addProduct4(s2, a, v128.load(at, 32));
    s3 = addProduct4(s3, a, v128.load(at, 48));
    s4 = addProduct4(s4, a, v128.load(at, 64));
    s5 = addProduct4(s5, a, v128.load(at, 80));
    s6 = addProduct4(s6, a, v128.load(at, 96));
    s7 = addProduct4(s7, a, v128.load(at, 112));
  }
  const a = f32x4.splat(alpha);
  const g = f32x4.splat(gamma);
  v128.store(out, blend(s0, a, z, g));
  v128.store(out, blend(s1, a, z + 16, g), 16);
  v128.store(out, blend(s2, a, z + 32, g), 32);
  v128.store(out, blend(s3, a, z + 48, g), 48);
  v128.store(out, blend(s4, a, z + 64, g), 64);
  v128.store(out, blend(s5, a, z + 80, g), 80);
  v128.store(out, blend(s6, a, z + 96, g), 96);
  v128.store(out, blend(s7, a, z + 112, g), 112);
}

function row4(
  from: usize, end: usize, values: usize, x: usize, stride: usize, z: usize, out: usize, alpha: f32, gamma: f32,
): void {
  let sum = f32x4.splat(0);
  let value = values;
  for (let index = from; index < end; index += 4, value += 4) {
    const at = x + <usize>load<u32>(index) * stride;
    sum = addProduct4(sum, v128.load32_splat(value), v128.load(at));
  }
  v128.store(out, blend(sum, f32x4.splat(alpha), z, f32x4.splat(gamma)));
}

function row1(
  from: usize, end: usize, values: usize, x: usize, stride: usize, z: usize, out: usize, alpha: f32, gamma: f32,
): void {
  let sum: f32 = 0;
  let value = values;
  for (let index = from; index < end; index += 4, value += 4) {
    sum += load<f32>(value) * load<f32>(x + <usize>load<u32>(index) * stride);
  }
  store<f32>(out, sum * alpha + load<f32>(z) * gamma);
}
