import type { MetricDirection } from '#src/catalog/kind.ts';
import type { DifferenceTest } from '#src/statistics/differenceTest.ts';
import type { DifferenceCounts } from '#src/statistics/differenceCounts.ts';
import { holmAdjusted } from '#src/statistics/holm.ts';
import type { TestedOf } from '#src/statistics/verdict.ts';

/** One configuration, or one group of runs, against the baseline in one metric. */
export interface BaselineTest {
  /** Over what was tested, of the configuration and of the baseline; null where there is no test. */
  mean: number | null;
  baselineMean: number | null;
  /** Pairs of seeds or of users; for Welch's test the values of the configuration alone. */
  n: number;
  /** The seeds of the pairs; per user those of the configuration. */
  seeds: number[];
  /** Per user and for Welch's test, whose seeds need not be the same. */
  baselineSeeds: number[];
  /** Configuration less baseline, one per shared seed in the order of `seeds`; empty per user and for Welch's test. */
  differences: number[];
  test: DifferenceTest | null;
  /** What it speaks of. */
  about: TestedOf;
  /** The two-sided p corrected by Holm's method for all tests made together, of all metrics; null where it is the only one. */
  pHolm: number | null;
  wilcoxonHolm: number | null;
  /** How many tests `pHolm` is corrected for. */
  family: number;
  /** Why there is no test, or none of pairs, or what is compared; null where all is well. */
  reason: string | null;
  /** How the users' differences are distributed; null where pairs are seeds, and without a test. */
  users: DifferenceCounts | null;
}

export interface ConfigurationTest extends BaselineTest {
  configurationHash: string;
  /** Files could not be read, which may be otherwise another time. */
  passing?: true;
}

/** All configurations against the baseline in one metric. */
export interface MetricTests {
  name: string;
  direction: MetricDirection | null;
  /** By which rules the values of runs were taken, as `ComparedMetric` has them; `last` per user. */
  rules: string[];
  chosenOnTest: boolean;
  baselineHash: string;
  tests: ConfigurationTest[];
}

/** What is said where nothing was tested. */
export function untested(reason: string): BaselineTest {
  const nothing = { mean: null, baselineMean: null, test: null, pHolm: null, wilcoxonHolm: null, users: null };
  return { ...nothing, n: 0, seeds: [], baselineSeeds: [], differences: [], about: 'methods', family: 0, reason };
}

/** With Holm's correction over those of the tests that could be made, where there are several. */
export function corrected<Test extends BaselineTest>(tests: readonly Test[]): Test[] {
  const made = tests.filter(({ test }) => test !== null);
  const family = made.length;
  if (family < 2) return tests.map((one) => ({ ...one, family }));
  const ranked = made.filter(({ test }) => test!.wilcoxon !== null);
  const p = new Map(zip(made, holmAdjusted(made.map(({ test }) => test!.p))));
  const wilcoxon = new Map(zip(ranked, holmAdjusted(ranked.map(({ test }) => test!.wilcoxon!.p))));
  return tests.map((one) => ({ ...one, family, pHolm: p.get(one) ?? null, wilcoxonHolm: wilcoxon.get(one) ?? null }));
}

function zip<A, B>(a: readonly A[], b: readonly B[]): [A, B][] {
  return a.map((one, index) => [one, b[index]!]);
}

/** Why tests of the same values again and again say nothing. */
export const NOTHING_VARIES =
  'every seed gives the same difference, as where methods draw nothing at random: test per user instead';
