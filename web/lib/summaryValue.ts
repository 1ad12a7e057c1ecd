import { type MetricValue, toNumber } from '#src/lib/metricValue.ts';

export interface SummedUp {
  lastStep: number;
  lastValue: MetricValue;
  summary: MetricValue;
  /** Null where its program gave no rule. */
  summaryRule: string | null;
}

/** The value that stands for a metric: by the rule that its program gave, or else the last one. */
export function summaryValue({ summaryRule, summary, lastValue }: SummedUp): number {
  return toNumber(summaryRule === null ? lastValue : summary);
}

/** What that value is: `at step 12`, `max`. */
export function summaryOrigin(metric: SummedUp): string {
  return isLast(metric) ? `at step ${metric.lastStep}` : (metric.summaryRule ?? '');
}

/** Whether that value is the one at the last step. */
export function isLast({ summaryRule }: Pick<SummedUp, 'summaryRule'>): boolean {
  return summaryRule === null || summaryRule === 'last';
}
