import type { MetricDirection } from '#src/catalog/kind.ts';
import type { DifferenceTest } from '#src/statistics/differenceTest.ts';

/** One configuration against the baseline in one metric. */
export interface ConfigurationTest {
  configurationHash: string;
  /** Over what was tested, of the configuration and of the baseline; null where there is no test. */
  mean: number | null;
  baselineMean: number | null;
  /** Pairs of seeds or of users; for Welch's test the values of the configuration alone. */
  n: number;
  /** The seeds of the pairs; per user those that each user's values are means over. */
  seeds: number[];
  /** Configuration less baseline, one per shared seed in the order of `seeds`; empty per user and for Welch's test. */
  differences: number[];
  test: DifferenceTest | null;
  /** The two-sided p corrected for all tests of the metric by Holm's method; null where it is the only one. */
  pHolm: number | null;
  wilcoxonHolm: number | null;
  /** Why there is no test, or none of pairs; null where all is well. */
  reason: string | null;
}

/** All configurations against the baseline in one metric. */
export interface MetricTests {
  name: string;
  direction: MetricDirection | null;
  baselineHash: string;
  tests: ConfigurationTest[];
}

/** What `ConfigurationTest` says where nothing was tested. */
export function untested(configurationHash: string, reason: string): ConfigurationTest {
  const nothing = { mean: null, baselineMean: null, test: null, pHolm: null, wilcoxonHolm: null };
  return { configurationHash, ...nothing, n: 0, seeds: [], differences: [], reason };
}

/** Why tests of the same values again and again say nothing. */
export const NOTHING_VARIES =
  'every seed gives the same difference, as where methods draw nothing at random: test per user instead';
