// The twin of workers/math/reluAngle.ts, two at once: the same operations in the same order, so the same bits.

const ROTATION: f64 = Math.SQRT2 - 1;
/** Keeps the root above 0. */
const LEAST_SQUARE: f64 = 1e-300;
const C0: f64 = 1.999999999999998;
const C1: f64 = -0.6666666666644286;
const C2: f64 = 0.39999999956785326;
const C3: f64 = -0.28571425323369587;
const C4: f64 = 0.22222097707502592;
const C5: f64 = -0.18179059913124615;
const C6: f64 = 0.1534707085636657;
const C7: f64 = -0.1301196593434168;
const C8: f64 = 0.10049524237880256;
const C9: f64 = -0.050632959147552954;

/**
 * Writes the constants, both lanes alike, where `reluMoments4` reads them: one load each, while a constant in the code costs
 * V8 three instructions at every use.
 */
export function placeReluConstants(table: usize): void {
  v128.store(table, f64x2.splat(C0), 0);
  v128.store(table, f64x2.splat(C1), 16);
  v128.store(table, f64x2.splat(C2), 32);
  v128.store(table, f64x2.splat(C3), 48);
  v128.store(table, f64x2.splat(C4), 64);
  v128.store(table, f64x2.splat(C5), 80);
  v128.store(table, f64x2.splat(C6), 96);
  v128.store(table, f64x2.splat(C7), 112);
  v128.store(table, f64x2.splat(C8), 128);
  v128.store(table, f64x2.splat(C9), 144);
  v128.store(table, f64x2.splat(ROTATION), 160);
  v128.store(table, f64x2.splat(Math.PI / 4), 176);
  v128.store(table, f64x2.splat(Math.PI / 2), 192);
  v128.store(table, f64x2.splat(-0.0), 208);
  v128.store(table, f64x2.splat(LEAST_SQUARE), 224);
}

@inline
function step(w: v128, rest: v128, c: v128): v128 {
  return f64x2.add(c, f64x2.mul(w, rest));
}

/** sqrt(product - covariance^2), at least 1e-150. */
@inline
function root2(covariance: v128, product: v128, table: usize): v128 {
  const square = f64x2.sub(product, f64x2.mul(covariance, covariance));
  return f64x2.sqrt(f64x2.pmax(square, v128.load(table, 224)));
}

/** |covariance| / (root + sqrt(product)), the tangent of half the angle from the perpendicular, turned by pi / 8. */
@inline
function tangent2(covariance: v128, product: v128, root: v128, table: usize): v128 {
  const across = v128.andnot(covariance, v128.load(table, 208));
  const height = f64x2.add(root, f64x2.sqrt(product));
  const rotation = v128.load(table, 160);
  return f64x2.div(f64x2.sub(across, f64x2.mul(rotation, height)), f64x2.add(height, f64x2.mul(rotation, across)));
}

/** The angle from that tangent t, z = t^2, and what the even and the odd powers of the polynomial sum to. */
@inline
function angle2(covariance: v128, t: v128, z: v128, even: v128, odd: v128, table: usize): v128 {
  const lean = f64x2.add(v128.load(table, 176), f64x2.mul(t, f64x2.add(even, f64x2.mul(z, odd))));
  const sign = v128.and(covariance, v128.load(table, 208));
  return f64x2.add(v128.load(table, 192), v128.xor(lean, sign));
}

/**
 * Moments of ReLU for four pairs, times 2 pi: covariance x angle + root to `at`, psi x angle to `slopes` bytes further. The two
 * vectors go side by side, so that each coefficient is loaded once for both.
 */
@inline
export function reluMoments4(
  at: usize,
  slopes: usize,
  covarianceA: v128,
  covarianceB: v128,
  psiA: v128,
  psiB: v128,
  productA: v128,
  productB: v128,
  table: usize,
): void {
  const rootA = root2(covarianceA, productA, table);
  const rootB = root2(covarianceB, productB, table);
  const tA = tangent2(covarianceA, productA, rootA, table);
  const tB = tangent2(covarianceB, productB, rootB, table);
  const zA = f64x2.mul(tA, tA);
  const zB = f64x2.mul(tB, tB);
  const wA = f64x2.mul(zA, zA);
  const wB = f64x2.mul(zB, zB);
  let evenA = v128.load(table, 128);
  let evenB = evenA;
  let oddA = v128.load(table, 144);
  let oddB = oddA;
  let c = v128.load(table, 96);
  evenA = step(wA, evenA, c);
  evenB = step(wB, evenB, c);
  c = v128.load(table, 112);
  oddA = step(wA, oddA, c);
  oddB = step(wB, oddB, c);
  c = v128.load(table, 64);
  evenA = step(wA, evenA, c);
  evenB = step(wB, evenB, c);
  c = v128.load(table, 80);
  oddA = step(wA, oddA, c);
  oddB = step(wB, oddB, c);
  c = v128.load(table, 32);
  evenA = step(wA, evenA, c);
  evenB = step(wB, evenB, c);
  c = v128.load(table, 48);
  oddA = step(wA, oddA, c);
  oddB = step(wB, oddB, c);
  c = v128.load(table, 0);
  evenA = step(wA, evenA, c);
  evenB = step(wB, evenB, c);
  c = v128.load(table, 16);
  oddA = step(wA, oddA, c);
  oddB = step(wB, oddB, c);
  const angleA = angle2(covarianceA, tA, zA, evenA, oddA, table);
  const angleB = angle2(covarianceB, tB, zB, evenB, oddB, table);
  v128.store(at, f64x2.add(f64x2.mul(covarianceA, angleA), rootA));
  v128.store(at, f64x2.add(f64x2.mul(covarianceB, angleB), rootB), 16);
  v128.store(at + slopes, f64x2.mul(psiA, angleA));
  v128.store(at + slopes, f64x2.mul(psiB, angleB), 16);
}
