import { expect, test } from 'vitest';
import { classificationMetrics } from '#workers/evaluation/metrics/classificationMetrics.ts';
import { regressionMetrics } from '#workers/evaluation/metrics/regressionMetrics.ts';

test('accuracy and macro F1 by hand', () => {
  // class 0: 2 hits, 3 predicted, 2 true -> 4/5; class 1: 1, 1, 2 -> 2/3; class 2: 0, 0, 1 -> 0; class 7: 0, 1, 0 -> 0
  const { accuracy, macroF1 } = classificationMetrics([0, 0, 0, 1, 7], [0, 0, 1, 1, 2]);
  expect(accuracy).toBe(3 / 5);
  expect(macroF1).toBeCloseTo((4 / 5 + 2 / 3) / 4, 12);
  expect(classificationMetrics([3, 1], [3, 1])).toEqual({ accuracy: 1, macroF1: 1 });
});

test('root mean squared error and signal-to-noise ratio by hand', () => {
  const { rmse, snr } = regressionMetrics([3, 0, 4], [3, 4, 5]);
  expect(rmse).toBeCloseTo(Math.sqrt(17 / 3), 12);
  expect(snr).toBeCloseTo(10 * Math.log10(50 / 17), 12);
  expect(regressionMetrics([1], [1]).snr).toBe(Number.POSITIVE_INFINITY);
});

test('no samples, and unequal numbers of them, are refused', () => {
  for (const metrics of [classificationMetrics, regressionMetrics]) {
    expect(() => metrics([], [])).toThrow(/and some/);
    expect(() => metrics([1], [1, 2])).toThrow(/got 1 and 2/);
  }
});
