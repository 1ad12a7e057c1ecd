/** Lanczos coefficients, g = 7, n = 9: relative error below 1e-15 for x > 0 (Godfrey 2001). */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
] as const;
const CONVERGED = 1e-16;
const MAXIMUM_TERMS = 100_000;
/** Keeps a denominator of the continued fraction away from 0. */
const TINY = 1e-300;

/** ln Γ(x) for x > 0. */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const z = x - 1;
  let sum: number = LANCZOS[0];
  for (let i = 1; i < LANCZOS.length; i++) sum += LANCZOS[i]! / (z + i);
  const t = z + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(sum);
}

/** Continued fraction of the incomplete beta function, by Lentz's method: DLMF 8.17.22. */
export function betaFraction(x: number, a: number, b: number): number {
  const away = (value: number): number => (Math.abs(value) < TINY ? TINY : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m < MAXIMUM_TERMS; m++) {
    for (const term of [
      (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)),
      (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)),
    ]) {
      d = 1 / away(1 + term * d);
      c = away(1 + term / c);
      fraction *= c * d;
    }
    if (Math.abs(c * d - 1) < CONVERGED) break;
  }
  return fraction;
}

/** ln Γ(a + 1/2) - ln Γ(a), for large a by its asymptotic series, since the difference would lose digits. */
export function logGammaStep(a: number): number {
  if (a < 500) return logGamma(a + 0.5) - logGamma(a);
  return 0.5 * Math.log(a) - 1 / (8 * a) + 1 / (192 * a ** 3);
}

/** I_x(a, 1/2) with y = 1 - x given apart, so that neither loses digits: DLMF 8.17. */
function incompleteBeta({ x, y }: { x: number; y: number }, a: number): number {
  if (x === 0) return 0;
  if (y === 0) return 1;
  const power = x < 0.5 ? a * Math.log(x) : a * Math.log1p(-y);
  const front = Math.exp(logGammaStep(a) + power) * Math.sqrt(y / Math.PI);
  if (x < (a + 1) / (a + 2.5)) return (front * betaFraction(x, a, 0.5)) / a;
  return 1 - 2 * front * betaFraction(y, 0.5, a);
}

/**
 * P(|T| >= |t|) for Student's t with `df` degrees of freedom, not necessarily whole: I_(df / (df + t²))(df / 2, 1 / 2).
 * NaN of NaN, 0 of an infinite t.
 */
export function studentTwoSided(t: number, df: number): number {
  if (Number.isNaN(t)) return Number.NaN;
  if (!Number.isFinite(t)) return 0;
  const square = t * t;
  return incompleteBeta({ x: df / (df + square), y: square / (df + square) }, df / 2);
}

/** P(T <= t) for Student's t with `df` degrees of freedom. */
export function studentBelow(t: number, df: number): number {
  const half = studentTwoSided(t, df) / 2;
  return t > 0 ? 1 - half : half;
}
