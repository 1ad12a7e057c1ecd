import type { Curve } from '#web/charts/curve.ts';
import type { SeriesStyle } from '#web/charts/seriesStyle.ts';
import type { MetricSeries } from '#web/lib/metricSeries.ts';
import { smoothValues } from '#web/lib/smoothValues.ts';
import type { ChartSettings } from './ChartControls.tsx';

export interface CurveOptions {
  label: string;
  style: SeriesStyle;
  settings: ChartSettings;
}

/** The curve that a metric's series draws: x in steps or in seconds since its first point, y smoothed if so set. */
export function curveOf(series: MetricSeries, { label, style, settings }: CurveOptions): Curve {
  const start = series.times[0] ?? 0;
  return {
    id: `${series.runId} ${series.name}`,
    label,
    style,
    x: settings.x === 'step' ? series.steps : series.times.map((time) => (time - start) / 1000),
    y: smoothValues(series.values, settings.smoothing),
    low: series.minimum,
    high: series.maximum,
  };
}
