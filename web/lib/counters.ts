import { isCounterName } from '#src/base/lib/headlineMetrics.ts';

export interface CountedMetric {
  name: string;
  /** The metric that is its x axis. */
  stepMetric?: string | null | undefined;
}

/**
 * Metrics that only say how far a run is, so that their curves tell nothing: by their names, or as the axis of
 * others. Values tell nothing of it: those of a measure may happen to be the steps.
 */
export function counterNames(metrics: readonly CountedMetric[]): ReadonlySet<string> {
  const axes = new Set(metrics.flatMap(({ stepMetric }) => stepMetric ?? []));
  const counting = metrics.filter((metric) => axes.has(metric.name) || isCounterName(metric.name));
  return new Set(counting.map(({ name }) => name));
}
