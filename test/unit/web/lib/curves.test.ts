import { describe, expect, test } from 'vitest';
import { alongAxis } from '#web/lib/curves/alongAxis.ts';
import { meanCurve } from '#web/lib/curves/meanCurve.ts';
import { outlierRange, quantile } from '#web/lib/curves/outlierRange.ts';
import { smoothCurve } from '#web/lib/curves/smoothCurve.ts';
import type { MetricSeries } from '#web/lib/metricSeries.ts';

function seriesOf(steps: number[], values: number[], name = 'loss'): MetricSeries {
  return {
    ...{ runId: 'a', name, steps, values, times: steps.map((step) => 1_000 * step) },
    ...{ minimum: null, maximum: null, pointCount: steps.length, cursor: 1 },
  };
}

describe('smoothing', () => {
  const y = [1, 3, 2, Number.NaN, 6];
  const x = [0, 1, 2, 3, 4];

  test('exponential: weights β^(t−i), no bias at the start', () => {
    const beta = 0.5;
    const expected = [1, (beta * 1 + 3) / (beta + 1), (beta ** 2 + beta * 3 + 2) / (beta ** 2 + beta + 1)];
    const smoothed = smoothCurve(x, y, { kind: 'exponential', amount: beta });
    for (const [index, value] of expected.entries()) expect(smoothed[index]).toBeCloseTo(value, 12);
    expect(smoothed[3]).toBeNaN();
  });

  test('time-weighted: by distance along x, in thousandths of the range', () => {
    const base = Math.sqrt(0.9);
    const smoothed = smoothCurve([0, 1, 1000], [1, 2, 5], { kind: 'timeWeighted', amount: 0.9 });
    expect(smoothed[1]).toBeCloseTo((base * 1 + 2) / (base + 1), 12);
    const far = base ** 999;
    expect(smoothed[2]).toBeCloseTo((far * (base * 1 + 2) + 5) / (far * (base + 1) + 1), 12);
  });

  test('Gaussian: a normal kernel over points within three deviations', () => {
    const weight = (away: number) => Math.exp(-(away ** 2) / 2);
    const smoothed = smoothCurve(x, y, { kind: 'gaussian', amount: 1 });
    const expected = (weight(1) * 1 + 3 + weight(1) * 2 + weight(3) * 6) / (weight(1) + 1 + weight(1) + weight(3));
    expect(smoothed[1]).toBeCloseTo(expected, 12);
    expect(smoothed[3]).toBeNaN();
  });

  test('running: the mean of a window that is shorter at the ends', () => {
    const smoothed = smoothCurve(x, y, { kind: 'running', amount: 1 });
    expect(smoothed.slice(0, 3)).toEqual([2, 2, 2.5]);
    expect(smoothed[4]).toBe(6);
  });

  test('a constant stays as it is under each kind, and no amount changes nothing', () => {
    const flat = x.map(() => 7);
    for (const kind of ['exponential', 'timeWeighted', 'gaussian', 'running'] as const) {
      for (const value of smoothCurve(x, flat, { kind, amount: kind === 'running' ? 2 : 0.8 })) {
        expect(value).toBeCloseTo(7, 12);
      }
      expect(smoothCurve(x, y, { kind, amount: 0 })).toEqual(y);
    }
  });
});

describe('the mean of several curves', () => {
  const members = [
    { x: [0, 10, 20], y: [1, 3, 5] },
    { x: [0, 20], y: [3, 7] },
    { x: [10, 30], y: [8, 8] },
  ];

  test('stands at every place that one of them has, of those that reach it', () => {
    const { x, y, n } = meanCurve(members, 'none');
    expect(x).toEqual([0, 10, 20, 30]);
    // at 10 the second lies on its line from 3 to 7
    expect(y).toEqual([2, (3 + 5 + 8) / 3, (5 + 7 + 8) / 3, 8]);
    expect(n).toEqual([2, 3, 3, 1]);
  });

  test('has a band of one deviation, one error, a 95 % interval, or the extremes', () => {
    const at = (band: 'deviation' | 'error' | 'interval' | 'extremes') => {
      const { low, high } = meanCurve(members, band);
      return [low![0]!, high![0]!];
    };
    const deviation = Math.SQRT2;
    expect(at('deviation')[0]).toBeCloseTo(2 - deviation, 12);
    expect(at('error')[1]).toBeCloseTo(2 + deviation / Math.SQRT2, 12);
    // Student's t with one degree of freedom: 12.706
    expect(at('interval')[1]).toBeCloseTo(2 + 12.706204736, 6);
    expect(at('extremes')).toEqual([1, 3]);
  });

  test('values that are not finite have no part in it', () => {
    const { y, n } = meanCurve(
      [
        { x: [0, 1], y: [Number.NaN, 4] },
        { x: [0, 1], y: [2, Number.POSITIVE_INFINITY] },
      ],
      'deviation',
    );
    expect(y).toEqual([2, 4]);
    expect(n).toEqual([1, 1]);
  });
});

describe('the horizontal axis', () => {
  const loss = seriesOf([0, 10, 20, 30], [4, 3, 2, 1]);

  test('of seconds begins at the first point of each run', () => {
    expect(alongAxis(seriesOf([5, 7], [1, 2]), 'relative', []).x).toEqual([0, 2]);
  });

  test('of another metric takes its value at the step, or the last before; what comes before it is left out', () => {
    const guide = seriesOf([10, 25], [100, 50], 'tokens');
    expect(alongAxis(loss, 'metric:tokens', [guide])).toEqual({ x: [50, 100, 100], y: [1, 3, 2], kept: [3, 1, 2] });
    expect(alongAxis(loss, 'metric:tokens', []).x).toEqual([]);
  });

  test('of epochs is that of a metric called epoch, or of steps where a run has none', () => {
    expect(alongAxis(loss, 'epoch', [seriesOf([0, 20], [0, 1], 'epoch')]).x).toEqual([0, 0, 1, 1]);
    expect(alongAxis(loss, 'epoch', []).x).toEqual([0, 10, 20, 30]);
  });
});

test('outliers are what lies beyond the 1st and 99th percentile', () => {
  const values = Array.from({ length: 1_000 }, (_, index) => index / 1_000);
  const range = outlierRange([[...values, 1e9], [Number.NaN]])!;
  expect(range.high).toBeLessThan(1.1);
  expect(range.low).toBeGreaterThan(-0.1);
  expect(outlierRange([[Number.NaN]])).toBeNull();
  // numpy.quantile([1, 2, 4], 0.25)
  expect(quantile([1, 2, 4], 0.25)).toBe(1.5);
});
