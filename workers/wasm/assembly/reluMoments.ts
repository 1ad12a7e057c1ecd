import { addProduct2 } from './multiplyAdd';

/**
 * Correlations of collinear samples are at most this many roundings from 1, and twice the root of an input's numbers more, as
 * errors of a sum spread: so near, they count as 1.
 */
const ROUNDINGS: f64 = 12;
/** Chebyshev interpolant of acos(1 - u) / sqrt(u) on [0, 1], degree 15: within 8e-15. */
const C0: f64 = 1.414213562373091;
const C1: f64 = 0.11785113019991791;
const C2: f64 = 0.026516504111738934;
const C3: f64 = 0.007891822843404733;
const C4: f64 = 0.0026853037785996487;
const C5: f64 = 0.000989831467369406;
const C6: f64 = 0.00037583178330494014;
const C7: f64 = 0.00019005990764663392;
const C8: f64 = -5.514525720238468e-05;
const C9: f64 = 0.00031188861365630033;
const C10: f64 = -0.00048253503355697884;
const C11: f64 = 0.000621384837121335;
const C12: f64 = -0.0005386283106761076;
const C13: f64 = 0.0003195995093340222;
const C14: f64 = -0.00011373534188928955;
const C15: f64 = 1.945131302874301e-05;

/**
 * Writes the constants for inputs of `dimension` numbers, both lanes alike, where `reluMoments4` reads them: one load each,
 * while a constant in the code costs V8 three instructions at every use.
 */
export function placeReluConstants(table: usize, dimension: u32): void {
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
  v128.store(table, f64x2.splat(C10), 160);
  v128.store(table, f64x2.splat(C11), 176);
  v128.store(table, f64x2.splat(C12), 192);
  v128.store(table, f64x2.splat(C13), 208);
  v128.store(table, f64x2.splat(C14), 224);
  v128.store(table, f64x2.splat(C15), 240);
  v128.store(table, f64x2.splat(1), 256);
  v128.store(table, f64x2.splat(2), 272);
  v128.store(table, f64x2.splat((ROUNDINGS + 2 * Math.sqrt(dimension)) * 0.5 * f64.EPSILON), 288);
  v128.store(table, f64x2.splat(Math.PI / 2), 304);
  v128.store(table, f64x2.splat(-0.0), 320);
}

@inline
function step(w: v128, rest: v128, c: v128): v128 {
  return addProduct2(c, w, rest);
}

/** u = 1 - |correlation|, 0 where that is rounding. */
@inline
function gap2(correlation: v128, table: usize): v128 {
  const gap = f64x2.sub(v128.load(table, 256), v128.andnot(correlation, v128.load(table, 320)));
  return v128.and(gap, f64x2.gt(gap, v128.load(table, 288)));
}

/** sqrt(1 - correlation^2) = sqrt(u (2 - u)). */
@inline
function root2(u: v128, table: usize): v128 {
  return f64x2.sqrt(f64x2.mul(u, f64x2.sub(v128.load(table, 272), u)));
}

/** pi - acos(correlation), given the correlation's sign and `acute` = acos(|correlation|). */
@inline
function angle2(sign: v128, acute: v128, table: usize): v128 {
  const right = v128.load(table, 304);
  return f64x2.add(right, v128.xor(f64x2.sub(right, acute), sign));
}

/** The correlation again, 1 or -1 where the gap is 0: what rounding took must not add up over the steps. */
@inline
function correlation2(sign: v128, u: v128, table: usize): v128 {
  return v128.xor(f64x2.sub(v128.load(table, 256), u), sign);
}

/**
 * Moments of ReLU for four pairs of unit variances, times 2 pi (RNTK B.5). With angle = pi - acos(c): c x angle + sqrt(1 - c^2)
 * to `at`, psi x angle to `slopes` bytes further.
 *
 * The roots and the polynomial need u alone and so run side by side, the polynomial as four of every fourth power. The two
 * vectors go together, so that each coefficient is loaded once for both.
 */
@inline
export function reluMoments4(
  at: usize,
  slopes: usize,
  correlationA: v128,
  correlationB: v128,
  psiA: v128,
  psiB: v128,
  table: usize,
): void {
  const uA = gap2(correlationA, table);
  const uB = gap2(correlationB, table);
  const sA = f64x2.sqrt(uA);
  const sB = f64x2.sqrt(uB);
  const rootA = root2(uA, table);
  const rootB = root2(uB, table);
  const squareA = f64x2.mul(uA, uA);
  const squareB = f64x2.mul(uB, uB);
  const wA = f64x2.mul(squareA, squareA);
  const wB = f64x2.mul(squareB, squareB);
  let p3A = v128.load(table, 240);
  let p3B = p3A;
  let p2A = v128.load(table, 224);
  let p2B = p2A;
  let p1A = v128.load(table, 208);
  let p1B = p1A;
  let p0A = v128.load(table, 192);
  let p0B = p0A;
  let c = v128.load(table, 176);
  p3A = step(wA, p3A, c);
  p3B = step(wB, p3B, c);
  c = v128.load(table, 160);
  p2A = step(wA, p2A, c);
  p2B = step(wB, p2B, c);
  c = v128.load(table, 144);
  p1A = step(wA, p1A, c);
  p1B = step(wB, p1B, c);
  c = v128.load(table, 128);
  p0A = step(wA, p0A, c);
  p0B = step(wB, p0B, c);
  c = v128.load(table, 112);
  p3A = step(wA, p3A, c);
  p3B = step(wB, p3B, c);
  c = v128.load(table, 96);
  p2A = step(wA, p2A, c);
  p2B = step(wB, p2B, c);
  c = v128.load(table, 80);
  p1A = step(wA, p1A, c);
  p1B = step(wB, p1B, c);
  c = v128.load(table, 64);
  p0A = step(wA, p0A, c);
  p0B = step(wB, p0B, c);
  c = v128.load(table, 48);
  p3A = step(wA, p3A, c);
  p3B = step(wB, p3B, c);
  c = v128.load(table, 32);
  p2A = step(wA, p2A, c);
  p2B = step(wB, p2B, c);
  c = v128.load(table, 16);
  p1A = step(wA, p1A, c);
  p1B = step(wB, p1B, c);
  c = v128.load(table, 0);
  p0A = step(wA, p0A, c);
  p0B = step(wB, p0B, c);
  const acuteA = f64x2.mul(sA, step(squareA, step(uA, p3A, p2A), step(uA, p1A, p0A)));
  const acuteB = f64x2.mul(sB, step(squareB, step(uB, p3B, p2B), step(uB, p1B, p0B)));
  const signA = v128.and(correlationA, v128.load(table, 320));
  const signB = v128.and(correlationB, v128.load(table, 320));
  const angleA = angle2(signA, acuteA, table);
  const angleB = angle2(signB, acuteB, table);
  v128.store(at, f64x2.add(f64x2.mul(correlation2(signA, uA, table), angleA), rootA));
  v128.store(at, f64x2.add(f64x2.mul(correlation2(signB, uB, table), angleB), rootB), 16);
  v128.store(at + slopes, f64x2.mul(psiA, angleA));
  v128.store(at + slopes, f64x2.mul(psiB, angleB), 16);
}
