import { type MetricValue, toNumber } from '#src/base/lib/metricValue.ts';

/** One metric of one run in columns of equal length, steps rising. */
export interface MetricSeries {
  runId: string;
  name: string;
  steps: number[];
  /** The value at each step; may be NaN or infinite. */
  values: number[];
  /** Unix milliseconds. */
  times: number[];
  /** Extremes of the points that each entry stands for; null where every point is its own entry. */
  minimum: number[] | null;
  maximum: number[] | null;
  /** Points in the whole series, as of the last full reading. */
  pointCount: number;
  cursor: number;
}

/** The series as the API sends it. */
export interface MetricColumns {
  runId: string;
  name: string;
  steps: number[];
  values: MetricValue[];
  times: number[];
  minimum: MetricValue[] | null;
  maximum: MetricValue[] | null;
  pointCount: number;
  cursor: number;
}

export function readSeries(columns: MetricColumns): MetricSeries {
  return {
    ...columns,
    values: columns.values.map(toNumber),
    minimum: columns.minimum?.map(toNumber) ?? null,
    maximum: columns.maximum?.map(toNumber) ?? null,
  };
}

/**
 * The series with newer points merged in by step; at a step that is there already the newer point wins, so that a
 * delta delivered twice changes nothing.
 */
export function mergeSeries(series: MetricSeries, newer: MetricSeries): MetricSeries {
  if (newer.steps.length === 0) return { ...series, cursor: Math.max(series.cursor, newer.cursor) };
  const banded = series.minimum !== null || newer.minimum !== null;
  const merged: MetricSeries = {
    ...series,
    steps: [],
    values: [],
    times: [],
    minimum: banded ? [] : null,
    maximum: banded ? [] : null,
    pointCount: Math.max(series.pointCount, newer.pointCount),
    cursor: Math.max(series.cursor, newer.cursor),
  };
  let i = 0;
  let j = 0;
  while (i < series.steps.length || j < newer.steps.length) {
    const old = series.steps[i] ?? Number.POSITIVE_INFINITY;
    const fresh = newer.steps[j] ?? Number.POSITIVE_INFINITY;
    if (old < fresh) {
      push(merged, series, i);
      i += 1;
    } else {
      if (old === fresh) i += 1;
      push(merged, newer, j);
      j += 1;
    }
  }
  return merged;
}

function push(target: MetricSeries, source: MetricSeries, index: number): void {
  const value = source.values[index]!;
  target.steps.push(source.steps[index]!);
  target.values.push(value);
  target.times.push(source.times[index]!);
  target.minimum?.push(source.minimum?.[index] ?? value);
  target.maximum?.push(source.maximum?.[index] ?? value);
}
