import { summarizeReplicates } from './replicates.ts';
import { studentBelow, studentTwoSided } from './studentDistribution.ts';
import { studentQuantile } from './studentQuantile.ts';

/** Outcome of a t-test of a against b. */
export interface TTest {
  /** Mean of a less mean of b. */
  difference: number;
  /** Of the difference. */
  standardError: number;
  /** Above 0 where a has the greater mean. Infinite where neither varies; NaN where they are equal, too. */
  t: number;
  /** Degrees of freedom; not whole for Welch's test. */
  df: number;
  /** Two-sided. */
  p: number;
  /** One-sided, for b greater than a. */
  pGreater: number;
  /** One-sided, for a greater than b. */
  pSmaller: number;
}

function describe(values: readonly number[], name: string): { mean: number; variance: number; n: number } {
  if (values.length < 2)
    throw new RangeError(`a t-test needs at least two values of ${name}, received ${values.length}`);
  const { mean, standardDeviation, n } = summarizeReplicates(values);
  return { mean, variance: (standardDeviation ?? Number.NaN) ** 2, n };
}

/** The outcome for a difference with its standard error, which is known with so many degrees of freedom. */
export function tTestOf({ difference, standardError, df }: Pick<TTest, 'difference' | 'standardError' | 'df'>): TTest {
  const t = difference / standardError;
  const [pGreater, pSmaller] = [studentBelow(t, df), studentBelow(-t, df)];
  return { difference, standardError, t, df, p: studentTwoSided(t, df), pGreater, pSmaller };
}

/** Confidence interval of the difference of a test, from low to high: the values that it would not reject at 1 - `level`. */
export function differenceInterval({ difference, standardError, df }: TTest, level: number): [number, number] {
  if (standardError === 0) return [difference, difference];
  const reach = studentQuantile(level, df) * standardError;
  return [difference - reach, difference + reach];
}

/** T-test of the differences of pairs, against 0. @throws RangeError for fewer than two. */
export function differencesTTest(differences: readonly number[]): TTest {
  const { mean, variance, n } = describe(differences, 'both');
  return tTestOf({ difference: mean, standardError: Math.sqrt(variance / n), df: n - 1 });
}

/**
 * Paired t-test: of values that belong together, such as two methods with the same seeds, data sets or users.
 * @throws RangeError for fewer than two pairs, or different numbers of values.
 */
export function pairedTTest(a: readonly number[], b: readonly number[]): TTest {
  if (a.length !== b.length)
    throw new RangeError(`pairs need as many of a as of b, received ${a.length} and ${b.length}`);
  return differencesTTest(a.map((value, pair) => value - b[pair]!));
}

/** Student's t-test of two independent samples with the same variance. */
export function studentTTest(a: readonly number[], b: readonly number[]): TTest {
  const [first, second] = [describe(a, 'a'), describe(b, 'b')];
  const df = first.n + second.n - 2;
  const pooled = ((first.n - 1) * first.variance + (second.n - 1) * second.variance) / df;
  const standardError = Math.sqrt(pooled * (1 / first.n + 1 / second.n));
  return tTestOf({ difference: first.mean - second.mean, standardError, df });
}

/** Welch's t-test of two independent samples with variances of their own: Welch 1947, Biometrika 34, 28. */
export function welchTTest(a: readonly number[], b: readonly number[]): TTest {
  const [first, second] = [describe(a, 'a'), describe(b, 'b')];
  const [u, v] = [first.variance / first.n, second.variance / second.n];
  const df = (u + v) ** 2 / (u ** 2 / (first.n - 1) + v ** 2 / (second.n - 1));
  return tTestOf({ difference: first.mean - second.mean, standardError: Math.sqrt(u + v), df });
}
