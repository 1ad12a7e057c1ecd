import type { MetricSeries } from './metricSeries.ts';
import { type MetricValue, toNumber } from '#src/base/lib/metricValue.ts';

/** What a table shows of one series. */
export interface SeriesSummary {
  name: string;
  pointCount: number;
  lastStep: number;
  lastValue: MetricValue;
  minimum?: MetricValue | null;
  maximum?: MetricValue | null;
}

/**
 * The summaries with what the series know of later steps: a table that is read again now and then says the same as the charts
 * beside it, which get every point as it comes. The same list when there is nothing newer.
 */
export function newerSummaries<Summary extends SeriesSummary>(
  summaries: readonly Summary[],
  series: readonly MetricSeries[],
): readonly Summary[] {
  let changed = false;
  const newer = summaries.map((summary) => {
    const one = series.find(({ name }) => name === summary.name);
    if (one === undefined || (one.steps.at(-1) ?? -1) <= summary.lastStep) return summary;
    changed = true;
    return followed(summary, one);
  });
  return changed ? newer : summaries;
}

function followed<Summary extends SeriesSummary>(summary: Summary, series: MetricSeries): Summary {
  const first = series.steps.findIndex((step) => step > summary.lastStep);
  const extreme = (band: number[] | null, known: MetricValue | null | undefined, pick: typeof Math.min) => {
    const values = [...(band ?? series.values).slice(first), known == null ? Number.NaN : toNumber(known)];
    const finite = values.filter(Number.isFinite);
    return finite.length === 0 ? null : finite.reduce((a, b) => pick(a, b));
  };
  const lasts = { lastStep: series.steps.at(-1)!, lastValue: series.values.at(-1)! };
  const pointCount = Math.max(series.pointCount, summary.pointCount + series.steps.length - first);
  const bands = {
    minimum: extreme(series.minimum, summary.minimum, Math.min),
    maximum: extreme(series.maximum, summary.maximum, Math.max),
  };
  return { ...summary, ...lasts, pointCount, ...bands };
}
