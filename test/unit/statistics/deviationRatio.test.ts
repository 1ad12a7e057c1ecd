import { expect, test } from 'vitest';
import { deviationRatioInterval } from '#src/statistics/deviationRatio.ts';

test('a ratio of deviations over ten values each lies within the root of the F distribution’s quantile, 4.026', () => {
  const [low, high] = deviationRatioInterval(2, { n: 10, level: 0.95 });
  expect(high).toBeCloseTo(2 * Math.sqrt(4.025994), 5);
  expect(low).toBeCloseTo(2 / Math.sqrt(4.025994), 5);
  expect(() => deviationRatioInterval(2, { n: 1, level: 0.95 })).toThrow(RangeError);
});
