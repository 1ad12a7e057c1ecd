import { differenceInterval, differencesTTest, tTestOf, type TTest, welchTTest } from './tTests.ts';
import { wilcoxonTest } from './wilcoxon.ts';

const LEVEL = 0.95;

/** Whether a is better than b, by what was measured of both. */
export interface DifferenceTest {
  /** `crossed`: over seeds and users at once. */
  method: 'paired' | 'welch' | 'crossed';
  /** Mean of a less mean of b, with its 95 % confidence interval from low to high. */
  difference: number;
  low: number;
  high: number;
  t: number;
  df: number;
  /** Two-sided. */
  p: number;
  /** One-sided, for a better than b; null where nobody knows which way is better. */
  pBetter: number | null;
  /** The signed-rank test of the same pairs; null without pairs, or where it was not asked for. */
  wilcoxon: SignedRankTest | null;
}

export interface SignedRankTest {
  w: number;
  /** Pairs that differ. */
  n: number;
  exact: boolean;
  p: number;
  pBetter: number | null;
}

export type Direction = 'higher' | 'lower' | null;

/**
 * Paired t-test and Wilcoxon's signed-rank test of differences (a less b) of a metric. Null where the differences do not
 * vary: then t is infinite or nothing, and no test says anything.
 * @param options.signedRanks Whether Wilcoxon's test is made; up to 500 pairs it takes far longer than the other. Default true.
 * @throws RangeError for fewer than two.
 */
export function pairedDifferenceTest(
  differences: readonly number[],
  direction: Direction,
  { signedRanks = true }: { signedRanks?: boolean } = {},
): DifferenceTest | null {
  const test = differencesTTest(differences);
  if (!varies(test)) return null;
  if (!signedRanks) return { method: 'paired', ...told(test, direction), wilcoxon: null };
  const { w, n, exact, p, pAbove, pBelow } = wilcoxonTest(differences);
  const wilcoxon = { w, n, exact, p, pBetter: better(direction, pAbove, pBelow) };
  return { method: 'paired', ...told(test, direction), wilcoxon };
}

/** Welch's t-test of two samples of a metric without pairs. Null where neither varies. @throws RangeError for fewer than two. */
export function welchDifferenceTest(
  a: readonly number[],
  b: readonly number[],
  direction: Direction,
): DifferenceTest | null {
  const test = welchTTest(a, b);
  return varies(test) ? { method: 'welch', ...told(test, direction), wilcoxon: null } : null;
}

/** A test by its standard error and degrees of freedom, in the words of all tests. Null where nothing varies. */
export function toldTest(
  { method, ...of }: { method: DifferenceTest['method']; difference: number; standardError: number; df: number },
  direction: Direction,
): DifferenceTest | null {
  const test = tTestOf(of);
  return varies(test) ? { method, ...told(test, direction), wilcoxon: null } : null;
}

/** Equal values may differ in their last bit by the rounding of a mean: that is no spread. */
function varies({ standardError, difference }: TTest): boolean {
  return standardError > 1e-12 * Math.abs(difference);
}

function told(test: TTest, direction: Direction): Omit<DifferenceTest, 'method' | 'wilcoxon'> {
  const [low, high] = differenceInterval(test, LEVEL);
  const { difference, t, df, p, pGreater, pSmaller } = test;
  return { difference, low, high, t, df, p, pBetter: better(direction, pSmaller, pGreater) };
}

function better(direction: Direction, ifHigher: number, ifLower: number): number | null {
  if (direction === null) return null;
  return direction === 'higher' ? ifHigher : ifLower;
}
