import { type MetricValue, toNumber } from '#src/base/lib/metricValue.ts';

export interface RuledMetric {
  /** Null where its program gave no rule. */
  summaryRule: string | null;
  /** Which way it is better; null where that is not known. */
  direction: 'higher' | 'lower' | null;
}

/** What tells which of the values of a metric stands for it. */
export interface StandingValue {
  summaryRule: string | null;
  lastValue: MetricValue;
  summary: MetricValue;
}

export interface SummedUp extends RuledMetric, StandingValue {
  lastStep: number;
}

/** The value that stands for a metric: by the rule that its program gave, or else the last one. */
export function summaryValue({ summaryRule, summary, lastValue }: StandingValue): number {
  return toNumber(summaryRule === null ? lastValue : summary);
}

/** The rule by which that value stands for it; `best` is the largest or the smallest, or the last where neither is known to be better. */
export function standingRule({ summaryRule, direction }: RuledMetric): string {
  if (summaryRule !== 'best') return summaryRule ?? 'last';
  return direction === null ? 'last' : direction === 'higher' ? 'max' : 'min';
}

/** What that value is: `at step 12`, `max of all steps`. */
export function summaryOrigin(metric: SummedUp): string {
  const rule = standingRule(metric);
  return rule === 'last' ? `at step ${metric.lastStep}` : `${rule} of all steps`;
}
