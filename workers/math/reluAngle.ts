const ROTATION = Math.SQRT2 - 1;
/** Twice the Chebyshev interpolant of atan(sqrt z) / sqrt z on [0, tan(pi / 8)^2], degree 9: within 1e-15. */
const C0 = 1.999999999999998;
const C1 = -0.6666666666644286;
const C2 = 0.39999999956785326;
const C3 = -0.28571425323369587;
const C4 = 0.22222097707502592;
const C5 = -0.18179059913124615;
const C6 = 0.1534707085636657;
const C7 = -0.1301196593434168;
const C8 = 0.10049524237880256;
const C9 = -0.050632959147552954;

/**
 * pi less the inverse cosine of covariance / sqrt(product), given root = sqrt(product - covariance^2) > 0 (at least 1e-150,
 * say, where it should be 0): the angle in ReLU's expectations (RNTK B.5), within 1e-15 of the circle.
 *
 * With h = root + sqrt(product), |covariance| / h is the tangent of half the angle from the perpendicular; turned by pi / 8 it
 * lies in [-tan(pi / 8), tan(pi / 8)], so one short polynomial serves and nothing branches. The twin of the angle in
 * `workers/wasm/assembly/reluAngle.ts`: same operations, same order, same bits.
 */
export function reluAngle(covariance: number, product: number, root: number): number {
  const across = Math.abs(covariance);
  const height = root + Math.sqrt(product);
  const t = (across - ROTATION * height) / (height + ROTATION * across);
  const z = t * t;
  const w = z * z;
  const even = C0 + w * (C2 + w * (C4 + w * (C6 + w * C8)));
  const odd = C1 + w * (C3 + w * (C5 + w * (C7 + w * C9)));
  const lean = Math.PI / 4 + t * (even + z * odd);
  return Math.PI / 2 + (covariance < 0 || Object.is(covariance, -0) ? -lean : lean);
}
