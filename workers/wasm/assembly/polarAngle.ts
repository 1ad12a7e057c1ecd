// Compiled form of workers/math/activations/polarAngle.ts, two at once: the same operations in the same order, so the same bits.

const FOLD: f64 = 0.41421356237309503;
const SMALLEST_NORMAL: f64 = 2.2250738585072014e-308;
const A0: f64 = 0.3333333333333293;
const A1: f64 = -0.19999999999876483;
const A2: f64 = 0.14285714272503466;
const A3: f64 = -0.11111110405462356;
const A4: f64 = 0.09090887133436507;
const A5: f64 = -0.0769187620504483;
const A6: f64 = 0.06661073137387531;
const A7: f64 = -0.058335701337905735;
const A8: f64 = 0.049768779946159324;
const A9: f64 = -0.036531572744216916;
const A10: f64 = 0.016285820115365782;

@inline
function step(w: v128, rest: v128, c: f64): v128 {
  return f64x2.add(f64x2.splat(c), f64x2.mul(w, rest));
}

/** Angles in [0, pi] of two points (x, y), y >= 0. */
@inline
export function polarAngle2(x: v128, y: v128): v128 {
  const across = f64x2.abs(x);
  const low = f64x2.pmin(across, y);
  const greater = f64x2.pmax(across, y);
  const high = f64x2.pmax(greater, f64x2.splat(SMALLEST_NORMAL));
  const folded = f64x2.gt(low, f64x2.mul(f64x2.splat(FOLD), high));
  const numerator = f64x2.sub(low, v128.and(high, folded));
  const denominator = f64x2.add(high, v128.and(low, folded));
  const t = f64x2.div(numerator, denominator);
  const z = f64x2.mul(t, t);
  const w = f64x2.mul(z, z);
  const even = f64x2.mul(z, step(w, step(w, step(w, step(w, step(w, f64x2.splat(A10), A8), A6), A4), A2), A0));
  const odd = f64x2.mul(w, step(w, step(w, step(w, step(w, f64x2.splat(A9), A7), A5), A3), A1));
  const arc = f64x2.add(
    v128.and(f64x2.splat(Math.PI / 4), folded),
    f64x2.sub(t, f64x2.mul(t, f64x2.add(even, odd))),
  );
  const firstQuadrant = v128.bitselect(f64x2.sub(f64x2.splat(Math.PI / 2), arc), arc, f64x2.gt(y, across));
  return v128.bitselect(f64x2.sub(f64x2.splat(Math.PI), firstQuadrant), firstQuadrant, f64x2.lt(x, f64x2.splat(0)));
}
