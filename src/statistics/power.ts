import { logGamma } from './studentDistribution.ts';
import { normalBelow, normalQuantile } from './normalQuantile.ts';
import { studentQuantile } from './studentQuantile.ts';

const INTERVALS = 256;
/** Standard deviations of the root of χ² / ν that are integrated over to each side. */
const REACH = 10;
const MOST = 1_000;

/**
 * Chance that a two-sided t-test rejects at `level`, where its statistic has the given noncentrality (the true difference in
 * standard errors): the noncentral t distribution's tails, by Simpson's rule over s = √(χ²/ν), to about five digits.
 * Johnson, Kotz, Balakrishnan 1995, Continuous Univariate Distributions 2, chapter 31.
 */
export function tTestPower({ noncentrality, df, level }: { noncentrality: number; df: number; level: number }): number {
  const critical = studentQuantile(1 - level, df);
  const width = REACH / Math.sqrt(2 * df);
  // In w = √s, since for few degrees of freedom all happens close to 0.
  const [from, to] = [Math.sqrt(Math.max(0, 1 - width)), Math.sqrt(1 + width)];
  const step = (to - from) / INTERVALS;
  const front = Math.LN2 + (df / 2) * Math.log(df / 2) - logGamma(df / 2);
  let sum = 0;
  for (let i = 0; i <= INTERVALS; i++) {
    const w = from + i * step;
    const s = w * w;
    const density = s === 0 ? 0 : 2 * w * Math.exp(front + (df - 1) * Math.log(s) - (df * s * s) / 2);
    const rejected = normalBelow(noncentrality - critical * s) + normalBelow(-noncentrality - critical * s);
    sum += (i === 0 || i === INTERVALS ? 1 : i % 2 === 1 ? 4 : 2) * density * rejected;
  }
  return Math.min(1, (sum * step) / 3);
}

/** What a difference of means is judged by. */
export interface Effect {
  /** The difference over the standard deviation of one pair, or over √(s₁² + s₂²) of two samples. */
  size: number;
  /** Degrees of freedom are this many times n - 1: 1 for pairs, (s₁² + s₂²)² / (s₁⁴ + s₂⁴) for Welch's test. */
  dfFactor: number;
}

/**
 * The least number of pairs (or values in each sample), up to 1,000, with which a t-test at `level` finds an effect of this
 * size with the chance `power`; null where more are needed.
 */
export function valuesForPower(
  { size, dfFactor }: Effect,
  { power, level }: { power: number; level: number },
): number | null {
  const effect = Math.abs(size);
  if (!(effect > 0)) return null;
  const reaches = (n: number): boolean =>
    tTestPower({ noncentrality: effect * Math.sqrt(n), df: dfFactor * (n - 1), level }) >= power;
  // The normal distribution's answer, from which Student's is never far.
  const sum = normalQuantile(1 - level / 2) + normalQuantile(power);
  let n = Math.max(2, Math.ceil((sum / effect) ** 2));
  if (n > MOST) return null;
  if (reaches(n)) while (n > 2 && reaches(n - 1)) n -= 1;
  else
    do {
      n += 1;
      if (n > MOST) return null;
    } while (!reaches(n));
  return n;
}
