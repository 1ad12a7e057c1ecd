import { isCounterName } from '#src/lib/headlineMetrics.ts';
import { type MetricValue, toNumber } from '#src/lib/metricValue.ts';

export interface CountedMetric {
  name: string;
  lastStep: number;
  lastValue: MetricValue;
  maximum?: MetricValue | null | undefined;
  /** The metric that is its x axis. */
  stepMetric?: string | null | undefined;
}

/** From this step on no measure is taken for a counter by chance. */
const LEAST_STEP = 3;

/**
 * Metrics that only say how far a run is, so that their curves tell nothing: by their names, by values that are the steps,
 * from 0 or from 1, or as the axis of others.
 */
export function counterNames(metrics: readonly CountedMetric[]): ReadonlySet<string> {
  const axes = new Set(metrics.flatMap(({ stepMetric }) => stepMetric ?? []));
  const counting = metrics.filter((metric) => axes.has(metric.name) || isCounterName(metric.name) || isStep(metric));
  return new Set(counting.map(({ name }) => name));
}

function isStep({ lastStep, lastValue, maximum }: CountedMetric): boolean {
  const beyond = toNumber(lastValue) - lastStep;
  return lastStep >= LEAST_STEP && (beyond === 0 || beyond === 1) && maximum === lastValue;
}
