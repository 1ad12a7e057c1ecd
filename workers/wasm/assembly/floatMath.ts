// Elementary functions of four floats at once, without branches. Greatest errors, held against float64 by
// test/backends/floatMath.test.ts, are written with each: in units of the last place (ulp) of the true value.

import { four } from './constants';
import { addProduct4, productPlus4, subtractProduct4 } from './multiplyAdd';

// Magic: adding 1.5 · 2²³ rounds a float to an integer, which then stands in the low bits.
const ROUND: f32 = 12582912.0;

@inline
function times(x: v128, y: v128): v128 {
  return f32x4.mul(x, y);
}

/** x y + c */
@inline
function step(x: v128, y: v128, c: f32): v128 {
  return productPlus4(x, y, f32x4.splat(c));
}

/** x y + c, with c at a place of the module's data. */
@inline
function stepFrom(x: v128, y: v128, c: usize): v128 {
  return productPlus4(x, y, four(c));
}

/** eˣ: 2 ulp; 0 below -104, infinity above 88.73; NaN stays. Cephes' expf: reduction by n ln 2, degree 7. */
@inline
export function exp4(given: v128): v128 {
  const x = f32x4.pmax(f32x4.pmin(given, f32x4.splat(89.0)), f32x4.splat(-105.0));
  const shifted = step(x, f32x4.splat(1.44269504088896341), ROUND);
  const n = f32x4.sub(shifted, f32x4.splat(ROUND));
  // n as an integer, and two factors whose product is 2ⁿ: one alone would leave the range of exponents.
  const whole = i32x4.sub(shifted, f32x4.splat(ROUND));
  const half = i32x4.shr_s(whole, 1);
  const bias = i32x4.splat(127);
  const first = i32x4.shl(i32x4.add(half, bias), 23);
  const second = i32x4.shl(i32x4.add(i32x4.sub(whole, half), bias), 23);
  const high = subtractProduct4(x, n, f32x4.splat(0.693359375));
  const r = addProduct4(high, n, f32x4.splat(2.12194440e-4));
  let p = step(f32x4.splat(1.9875691500e-4), r, 1.3981999507e-3);
  p = step(p, r, 8.3334519073e-3);
  p = step(p, r, 4.1665795894e-2);
  p = step(p, r, 1.6666665459e-1);
  p = step(p, r, 5.0000001201e-1);
  const value = f32x4.add(productPlus4(p, times(r, r), r), f32x4.splat(1));
  return times(times(value, first), second);
}

/** Natural logarithm: 1 ulp beside x = 1, 2 ulp elsewhere; -infinity at 0, NaN below. Cephes' logf. */
@inline
export function log4(given: v128): v128 {
  const tiny = f32x4.lt(given, f32x4.splat(1.17549435e-38));
  const x = v128.bitselect(times(given, f32x4.splat(8388608.0)), given, tiny);
  const exponent = i32x4.shr_s(i32x4.sub(x, i32x4.splat(0x3f3504f3)), 23);
  const f = f32x4.sub(i32x4.sub(x, i32x4.shl(exponent, 23)), f32x4.splat(1));
  const k = f32x4.sub(f32x4.convert_i32x4_s(exponent), v128.and(tiny, f32x4.splat(23.0)));
  const square = times(f, f);
  let p = step(f32x4.splat(7.0376836292e-2), f, -1.1514610310e-1);
  p = step(p, f, 1.1676998740e-1);
  p = step(p, f, -1.2420140846e-1);
  p = step(p, f, 1.4249322787e-1);
  p = step(p, f, -1.6668057665e-1);
  p = step(p, f, 2.0000714765e-1);
  p = step(p, f, -2.4999993993e-1);
  p = step(p, f, 3.3333331174e-1);
  let y = times(times(square, f), p);
  y = addProduct4(y, k, f32x4.splat(-2.12194440e-4));
  y = subtractProduct4(y, square, f32x4.splat(0.5));
  let result = addProduct4(f32x4.add(f, y), k, f32x4.splat(0.693359375));
  const infinite = f32x4.splat(f32.MAX_VALUE);
  result = v128.bitselect(result, given, f32x4.le(given, infinite));
  result = v128.bitselect(f32x4.splat(-Infinity), result, f32x4.eq(given, f32x4.splat(0)));
  return v128.bitselect(f32x4.splat(NaN), result, f32x4.lt(given, f32x4.splat(0)));
}

/** 1 / (1 + e⁻ˣ): 3 ulp. */
@inline
export function sigmoid4(x: v128): v128 {
  const one = f32x4.splat(1);
  return f32x4.div(one, f32x4.add(one, exp4(f32x4.neg(x))));
}

/** Hyperbolic tangent: 2 ulp. Cephes' tanhf: a polynomial within ±0.625, by eˣ beyond. */
@inline
export function tanh4(x: v128): v128 {
  const s = times(x, x);
  let p = step(f32x4.splat(-5.70498872745e-3), s, 2.06390887954e-2);
  p = step(p, s, -5.37397155531e-2);
  p = step(p, s, 1.33314422036e-1);
  p = step(p, s, -3.33332819422e-1);
  const near = productPlus4(times(p, s), x, x);
  const magnitude = f32x4.abs(x);
  const grown = f32x4.add(exp4(f32x4.add(magnitude, magnitude)), f32x4.splat(1));
  const far = f32x4.sub(f32x4.splat(1), f32x4.div(f32x4.splat(2), grown));
  const signed = v128.bitselect(x, far, i32x4.splat(0x80000000));
  return v128.bitselect(near, signed, f32x4.lt(magnitude, f32x4.splat(0.625)));
}

/** log(1 + eˣ): 3 ulp. */
@inline
export function softplus4(x: v128): v128 {
  const small = exp4(f32x4.neg(f32x4.abs(x)));
  const sum = f32x4.add(f32x4.splat(1), small);
  // The rounding of the sum is taken out again (Goldberg's log1p).
  const rounded = f32x4.sub(sum, f32x4.splat(1));
  const corrected = f32x4.div(times(log4(sum), small), rounded);
  const logarithm = v128.bitselect(small, corrected, f32x4.eq(rounded, f32x4.splat(0)));
  return f32x4.add(f32x4.pmax(x, f32x4.splat(0)), logarithm);
}

/** Error function: 2 ulp. Two polynomials that meet at 0.9277, after N. Juffa. */
@inline
export function erf4(a: v128): v128 {
  const t = f32x4.abs(a);
  const s = times(a, a);
  let far = stepFrom(four(memory.data<f32>([-1.72853470e-5])), t, memory.data<f32>([3.83197126e-4]));
  far = productPlus4(far, s, stepFrom(four(memory.data<f32>([-3.88396438e-3])), t, memory.data<f32>([2.42546219e-2])));
  far = stepFrom(far, t, memory.data<f32>([-1.06777877e-1]));
  far = stepFrom(far, t, memory.data<f32>([-6.34846687e-1]));
  far = stepFrom(far, t, memory.data<f32>([-1.28717512e-1]));
  far = f32x4.sub(times(far, t), t);
  far = f32x4.sub(four(memory.data<f32>([1])), exp4(far));
  // The sign of a on the magnitude.
  far = v128.bitselect(a, far, four(memory.data<u32>([0x80000000])));
  let near = stepFrom(four(memory.data<f32>([-5.96761703e-4])), s, memory.data<f32>([4.99119423e-3]));
  near = stepFrom(near, s, memory.data<f32>([-2.67681349e-2]));
  near = stepFrom(near, s, memory.data<f32>([1.12819925e-1]));
  near = stepFrom(near, s, memory.data<f32>([-3.76125336e-1]));
  near = stepFrom(near, s, memory.data<f32>([1.28379166e-1]));
  near = productPlus4(near, a, a);
  const isFar = f32x4.gt(t, four(memory.data<f32>([0.927734375])));
  // Beyond 10 the polynomial turns; erf is 1 there.
  const end = v128.bitselect(a, four(memory.data<f32>([1])), four(memory.data<u32>([0x80000000])));
  far = v128.bitselect(end, far, f32x4.gt(t, four(memory.data<f32>([4.0]))));
  return v128.bitselect(far, near, isFar);
}
