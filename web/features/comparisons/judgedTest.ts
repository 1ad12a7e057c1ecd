import { toNumber } from '#src/base/lib/metricValue.ts';
import { type Verdict, verdictOf } from '#src/statistics/verdict.ts';
import type { ConfigurationTest, MetricTests } from './usePairedTests.ts';
import { formatInterval } from '#web/lib/formatInterval.ts';

export interface JudgedTest {
  /** The difference from the baseline and the ends of its interval. */
  values: { difference: number; low: number; high: number };
  /** After Holm's correction where there are several. */
  p: number;
  verdict: Verdict;
  /** As texts with as many digits as the interval allows. */
  difference: string;
  interval: string;
}

/** What a test against the baseline says, as tables show it. */
export function judgedTest(
  { pHolm, about }: Pick<ConfigurationTest, 'pHolm' | 'about'>,
  test: NonNullable<ConfigurationTest['test']>,
  direction: MetricTests['direction'],
): JudgedTest {
  const values = { difference: toNumber(test.difference), low: toNumber(test.low), high: toNumber(test.high) };
  const p = pHolm ?? test.p;
  const verdict = verdictOf({ difference: values.difference, p, direction: direction ?? null, about });
  return { values, p, verdict, ...formatInterval(values) };
}
