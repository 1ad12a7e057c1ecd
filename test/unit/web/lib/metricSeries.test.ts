import { describe, expect, test } from 'vitest';
import { type MetricColumns, mergeSeries, readSeries } from '#web/lib/metricSeries.ts';

const columns = (steps: number[], values: MetricColumns['values'], cursor: number): MetricColumns => ({
  runId: 'r',
  name: 'train/loss',
  steps,
  values,
  times: steps.map((step) => step * 10),
  minimum: null,
  maximum: null,
  pointCount: steps.length,
  cursor,
});

describe('metric series', () => {
  test('non-finite values come through as themselves', () => {
    expect(readSeries(columns([1, 2, 3], ['NaN', 'Infinity', '-Infinity'], 1)).values).toEqual([
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ]);
  });

  test('newer points follow the older ones', () => {
    const merged = mergeSeries(readSeries(columns([1, 2], [0.5, 0.4], 3)), readSeries(columns([3], [0.3], 4)));
    expect(merged.steps).toEqual([1, 2, 3]);
    expect(merged.values).toEqual([0.5, 0.4, 0.3]);
    expect(merged.times).toEqual([10, 20, 30]);
    expect(merged.cursor).toBe(4);
  });

  test('a delta delivered twice changes nothing', () => {
    const base = readSeries(columns([1, 2], [0.5, 0.4], 3));
    const delta = readSeries(columns([2, 3], [0.4, 0.3], 4));
    const once = mergeSeries(base, delta);
    expect(mergeSeries(once, delta)).toEqual(once);
  });

  test('steps that come out of order find their places', () => {
    const merged = mergeSeries(readSeries(columns([10, 30], [1, 3], 1)), readSeries(columns([20, 40], [2, 4], 2)));
    expect(merged.steps).toEqual([10, 20, 30, 40]);
  });

  test('new points have a band of no width where the older ones have bands', () => {
    const base = { ...readSeries(columns([5, 10], [1, 2], 1)), minimum: [0, 1], maximum: [2, 3] };
    const merged = mergeSeries(base, readSeries(columns([11], [7], 2)));
    expect(merged.minimum).toEqual([0, 1, 7]);
    expect(merged.maximum).toEqual([2, 3, 7]);
  });

  test('the series that is merged into stays as it was', () => {
    const base = readSeries(columns([1], [1], 1));
    mergeSeries(base, readSeries(columns([2], [2], 2)));
    expect(base.steps).toEqual([1]);
  });
});
