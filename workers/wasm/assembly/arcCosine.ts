// Compiled form of workers/math/activations/arcCosine.ts: the same operations in the same order, so the same bits.

const HALF_PI_HIGH: f64 = 1.5707963267948966;
const HALF_PI_LOW: f64 = 6.123233995736766e-17;
const P0: f64 = 0.16666666666666666;
const P1: f64 = -0.3255658186224009;
const P2: f64 = 0.20121253213486293;
const P3: f64 = -0.04005553450067941;
const P4: f64 = 0.0007915349942898145;
const P5: f64 = 3.479331075960212e-5;
const Q1: f64 = -2.403394911734414;
const Q2: f64 = 2.0209457602335057;
const Q3: f64 = -0.6882839716054533;
const Q4: f64 = 0.07703815055590194;

export function arcCosine(x: f64): f64 {
  if (x >= 1) return 0;
  if (x <= -1) return 2 * HALF_PI_HIGH;
  const magnitude = Math.abs(x);
  const small = magnitude < 0.5;
  const z: f64 = small ? x * x : (1 - magnitude) * 0.5;
  const ratio = (z * (P0 + z * (P1 + z * (P2 + z * (P3 + z * (P4 + z * P5)))))) / (1 + z * (Q1 + z * (Q2 + z * (Q3 + z * Q4))));
  if (small) return HALF_PI_HIGH - (x - (HALF_PI_LOW - x * ratio));
  const root = Math.sqrt(z);
  if (x < 0) return 2 * (HALF_PI_HIGH - (root + (ratio * root - HALF_PI_LOW)));
  const head = <f64>(<f32>root);
  const tail = (z - head * head) / (root + head);
  return 2 * (head + (ratio * root + tail));
}

@inline
function axpy(z: v128, rest: v128, c: f64): v128 {
  return f64x2.add(f64x2.splat(c), f64x2.mul(z, rest));
}

/** Two at once, without branches. */
export function arcCosine2(x: v128): v128 {
  const one = f64x2.splat(1);
  const two = f64x2.splat(2);
  const high = f64x2.splat(HALF_PI_HIGH);
  const low = f64x2.splat(HALF_PI_LOW);
  const magnitude = f64x2.abs(x);
  const small = f64x2.lt(magnitude, f64x2.splat(0.5));
  const z = v128.bitselect(f64x2.mul(x, x), f64x2.mul(f64x2.sub(one, magnitude), f64x2.splat(0.5)), small);
  const p = f64x2.mul(z, axpy(z, axpy(z, axpy(z, axpy(z, axpy(z, f64x2.splat(P5), P4), P3), P2), P1), P0));
  const q = axpy(z, axpy(z, axpy(z, axpy(z, f64x2.splat(Q4), Q3), Q2), Q1), 1);
  const ratio = f64x2.div(p, q);
  const nearZero = f64x2.sub(high, f64x2.sub(x, f64x2.sub(low, f64x2.mul(x, ratio))));
  const root = f64x2.sqrt(z);
  const product = f64x2.mul(ratio, root);
  const nearMinusOne = f64x2.mul(two, f64x2.sub(high, f64x2.add(root, f64x2.sub(product, low))));
  const head = f64x2.promote_low_f32x4(f32x4.demote_f64x2_zero(root));
  const tail = f64x2.div(f64x2.sub(z, f64x2.mul(head, head)), f64x2.add(root, head));
  const nearOne = f64x2.mul(two, f64x2.add(head, f64x2.add(product, tail)));
  let result = v128.bitselect(nearMinusOne, nearOne, f64x2.lt(x, f64x2.splat(0)));
  result = v128.bitselect(nearZero, result, small);
  result = v128.bitselect(f64x2.splat(0), result, f64x2.ge(x, one));
  return v128.bitselect(f64x2.splat(2 * HALF_PI_HIGH), result, f64x2.le(x, f64x2.splat(-1)));
}
