import type { Curve } from '#web/charts/curve.ts';
import type { SeriesStyle } from '#web/charts/seriesStyle.ts';
import type { MetricSeries } from '#web/lib/metricSeries.ts';
import { smoothValues } from '#web/lib/smoothValues.ts';
import type { ChartSettings } from './ChartControls.tsx';

export interface CurveOptions {
  label: string;
  style: SeriesStyle;
  settings: ChartSettings;
  /** The metric that its program gave as x axis; null: the step. */
  axis?: MetricSeries | null;
}

/** The curve that a metric's series draws: x in steps, in the values of another metric, or in seconds since its first point, y smoothed if so set. */
export function curveOf(series: MetricSeries, { label, style, settings, axis = null }: CurveOptions): Curve {
  const start = series.times[0] ?? 0;
  return {
    id: `${series.runId} ${series.name}`,
    label,
    style,
    x: settings.x === 'step' ? along(series.steps, axis) : series.times.map((time) => (time - start) / 1000),
    y: smoothValues(series.values, settings.smoothing),
    low: series.minimum,
    high: series.maximum,
  };
}

/** For each step the value that the axis has there, or had last; the steps themselves without an axis. */
function along(steps: number[], axis: MetricSeries | null): number[] {
  if (axis === null || axis.steps.length === 0) return steps;
  let at = 0;
  return steps.map((step) => {
    while (at + 1 < axis.steps.length && axis.steps[at + 1]! <= step) at += 1;
    return axis.values[at]!;
  });
}
