import { expect, test } from 'vitest';
import { classificationMetrics } from '#workers/evaluation/metrics/classificationMetrics.ts';
import { signalToNoise } from '#workers/evaluation/metrics/signalToNoise.ts';

test('accuracy and macro F1 by hand', () => {
  // class 0: 2 hits, 3 predicted, 2 true -> 4/5; class 1: 1, 1, 2 -> 2/3; class 2: 0, 0, 1 -> 0; class 7: 0, 1, 0 -> 0
  const { accuracy, macroF1 } = classificationMetrics([0, 0, 0, 1, 7], [0, 0, 1, 1, 2]);
  expect(accuracy).toBe(3 / 5);
  expect(macroF1).toBeCloseTo((4 / 5 + 2 / 3) / 4, 12);
  expect(classificationMetrics([3, 1], [3, 1])).toEqual({ accuracy: 1, macroF1: 1 });
});

test('signal-to-noise ratio by hand', () => {
  expect(signalToNoise([3, 0, 4], [3, 4, 5])).toBeCloseTo(10 * Math.log10(50 / 17), 12);
  expect(signalToNoise([1], [1])).toBe(Number.POSITIVE_INFINITY);
});

test('no samples, and unequal numbers of them, are refused', () => {
  for (const metrics of [classificationMetrics, signalToNoise]) {
    expect(() => metrics([], [])).toThrow(/and some/);
    expect(() => metrics([1], [1, 2])).toThrow(/got 1 and 2/);
  }
});
