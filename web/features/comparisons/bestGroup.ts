import { toNumber } from '#src/base/lib/metricValue.ts';
import type { Comparison } from './useComparison.ts';
import type { MetricTests } from './usePairedTests.ts';

/** What of a comparison tells which configuration is best. */
export interface RankedComparison {
  groups: readonly { metrics: readonly Pick<Comparison['groups'][number]['metrics'][number], 'name' | 'mean'>[] }[];
  notComparable: readonly string[];
}

/**
 * Which of the compared configurations has the best mean of a metric; null where it is not known which way is better, where none has
 * the metric, and where the runs do not compare, as those on different data.
 */
export function bestGroup(
  { groups, notComparable }: RankedComparison,
  { name, direction }: Pick<MetricTests, 'name' | 'direction'>,
): number | null {
  if (direction == null || notComparable.length > 0) return null;
  const sign = direction === 'lower' ? -1 : 1;
  let best: { index: number; mean: number } | null = null;
  for (const [index, { metrics }] of groups.entries()) {
    const found = metrics.find((metric) => metric.name === name);
    const mean = found === undefined ? Number.NaN : sign * toNumber(found.mean);
    if (!Number.isNaN(mean) && (best === null || mean > best.mean)) best = { index, mean };
  }
  return best?.index ?? null;
}
