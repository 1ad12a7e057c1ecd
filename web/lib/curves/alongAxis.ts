import type { MetricSeries } from '../metricSeries.ts';

/** What lies along the horizontal axis: `step`, `epoch`, `time`, `relative`, or `metric:` with a metric's name. */
export type AxisName = string;

/** The metric whose values lie along the axis; null for steps and times. */
export function metricOfAxis(axis: AxisName): string | null {
  return axis.startsWith('metric:') ? axis.slice('metric:'.length) : null;
}

/** Metrics by which programs say which epoch a step belongs to, the usual ones first. */
export const EPOCH_METRICS = ['epoch', 'train/epoch', 'trainer/epoch'];

/** The axis in words, for heads and tooltips. */
export function axisTitle(axis: AxisName): string {
  return (
    metricOfAxis(axis) ??
    { step: 'step', epoch: 'epoch', time: 'time', relative: 'time since the first point' }[axis] ??
    axis
  );
}

/**
 * The points of a series with their places along an axis, in rising order. Along another metric, a point stands where that
 * metric was at its step, or last before; points before its first value are left out. Along epochs, that metric is the first
 * of `EPOCH_METRICS` that there is; a run without any has its steps.
 * @param others Series of the same run that the axis may need.
 */
export function alongAxis(
  series: MetricSeries,
  axis: AxisName,
  others: readonly MetricSeries[],
): { x: readonly number[]; y: readonly number[]; kept: readonly number[] | null } {
  if (axis === 'time') return rising(series.times, series.values);
  if (axis === 'relative') {
    const start = series.times[0] ?? 0;
    return rising(
      series.times.map((time) => (time - start) / 1_000),
      series.values,
    );
  }
  const asLogged = { x: series.steps, y: series.values, kept: null };
  if (axis === 'step') return asLogged;
  const guide = guideOf(axis, others);
  if (guide === null) return axis === 'epoch' ? asLogged : { x: [], y: [], kept: [] };
  let at = -1;
  const places = series.steps.map((step) => {
    while (at + 1 < guide.steps.length && guide.steps[at + 1]! <= step) at += 1;
    return at === -1 ? Number.NaN : guide.values[at]!;
  });
  return rising(places, series.values);
}

function guideOf(axis: AxisName, others: readonly MetricSeries[]): MetricSeries | null {
  const names = axis === 'epoch' ? EPOCH_METRICS : [metricOfAxis(axis)];
  for (const name of names) {
    const found = others.find((one) => one.name === name && one.steps.length > 0);
    if (found !== undefined) return found;
  }
  return null;
}

/** The points by place, those without one left out; `kept` are their indexes, null where all stay as they are. */
function rising(places: readonly number[], values: readonly number[]) {
  const isOrdered = places.every(
    (place, index) => Number.isFinite(place) && (index === 0 || place >= places[index - 1]!),
  );
  if (isOrdered) return { x: places, y: values, kept: null };
  const kept = [...places.keys()].filter((index) => Number.isFinite(places[index]));
  kept.sort((a, b) => places[a]! - places[b]! || a - b);
  return { x: kept.map((index) => places[index]!), y: kept.map((index) => values[index]!), kept };
}
