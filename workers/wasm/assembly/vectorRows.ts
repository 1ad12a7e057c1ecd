// Rows of floats of any width, four at a time and the rest one by one.

import { addProduct4 } from './multiplyAdd';

@inline
function sum4(x: v128): f32 {
  return f32x4.extract_lane(x, 0) + f32x4.extract_lane(x, 1) + (f32x4.extract_lane(x, 2) + f32x4.extract_lane(x, 3));
}

export function dotRows(a: usize, b: usize, columns: i32): f32 {
  const whole = <usize>(columns & ~7) << 2;
  const all = <usize>columns << 2;
  let even = f32x4.splat(0);
  let odd = f32x4.splat(0);
  let at: usize = 0;
  for (; at < whole; at += 32) {
    even = addProduct4(even, v128.load(a + at), v128.load(b + at));
    odd = addProduct4(odd, v128.load(a + at, 16), v128.load(b + at, 16));
  }
  let sum = sum4(f32x4.add(even, odd));
  for (; at < all; at += 4) sum += f32.load(a + at) * f32.load(b + at);
  return sum;
}

/** to += factor × from */
export function addScaledRow(to: usize, from: usize, factor: f32, columns: i32): void {
  const whole = <usize>(columns & ~3) << 2;
  const all = <usize>columns << 2;
  const factor4 = f32x4.splat(factor);
  let at: usize = 0;
  for (; at < whole; at += 16) {
    v128.store(to + at, addProduct4(v128.load(to + at), factor4, v128.load(from + at)));
  }
  for (; at < all; at += 4) f32.store(to + at, f32.load(to + at) + factor * f32.load(from + at));
}

/** Four floats, or the first `count` of them and zeros, so that nothing past a row is read. */
@inline
export function loadFirst(from: usize, count: i32): v128 {
  if (count >= 4) return v128.load(from);
  let x = v128.load32_zero(from);
  if (count > 1) x = f32x4.replace_lane(x, 1, f32.load(from, 4));
  if (count > 2) x = f32x4.replace_lane(x, 2, f32.load(from, 8));
  return x;
}
