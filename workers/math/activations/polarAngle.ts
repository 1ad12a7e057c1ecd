const QUARTER_PI = Math.PI / 4;
const HALF_PI = Math.PI / 2;
/** tan(pi / 8): beyond it the angle is folded about pi / 4. */
const FOLD = 0.41421356237309503;
const SMALLEST_NORMAL = 2.2250738585072014e-308;
const A0 = 0.3333333333333293;
const A1 = -0.19999999999876483;
const A2 = 0.14285714272503466;
const A3 = -0.11111110405462356;
const A4 = 0.09090887133436507;
const A5 = -0.0769187620504483;
const A6 = 0.06661073137387531;
const A7 = -0.058335701337905735;
const A8 = 0.049768779946159324;
const A9 = -0.036531572744216916;
const A10 = 0.016285820115365782;

/**
 * The angle in [0, pi] of the point (x, y), y >= 0, from the positive x axis; 0 at the origin. Within 3 ulp.
 *
 * With y = sqrt(k1 k2 - k3^2) and x = k3 it is the arc cosine of a correlation k3 / sqrt(k1 k2), without forming the quotient;
 * where x > 0 and y is small it keeps its relative precision. One division, no branch that a vector could not take: the
 * reference implementation of `polarAngle2` in `workers/wasm/assembly/polarAngle.ts`, same operations, same order, same bits. The polynomial is
 * that of fdlibm's `s_atan.c` (Sun Microsystems, 1993), good to 7/16.
 */
export function polarAngle(x: number, y: number): number {
  const across = Math.abs(x);
  const low = Math.min(across, y);
  const high = Math.max(Math.max(across, y), SMALLEST_NORMAL);
  const folded = low > FOLD * high;
  const t = folded ? (low - high) / (low + high) : low / high;
  const z = t * t;
  const w = z * z;
  const even = z * (A0 + w * (A2 + w * (A4 + w * (A6 + w * (A8 + w * A10)))));
  const odd = w * (A1 + w * (A3 + w * (A5 + w * (A7 + w * A9))));
  const arc = (folded ? QUARTER_PI : 0) + (t - t * (even + odd));
  const firstQuadrant = y > across ? HALF_PI - arc : arc;
  return x < 0 ? Math.PI - firstQuadrant : firstQuadrant;
}
