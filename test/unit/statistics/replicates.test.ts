import { describe, expect, it } from 'vitest';
import { summarizeReplicates } from '#src/statistics/replicates.ts';

describe('replicates', () => {
  it('gives mean and sample standard deviation', () => {
    // 2, 4, 4, 4, 5, 5, 7, 9: sum 40, squared deviations 9+1+1+1+0+0+4+16 = 32, over n - 1 = 7.
    const { mean, standardDeviation, n } = summarizeReplicates([2, 4, 4, 4, 5, 5, 7, 9]);
    expect(mean).toBe(5);
    expect(standardDeviation).toBeCloseTo(Math.sqrt(32 / 7), 14);
    expect(n).toBe(8);
  });

  it('has no deviation for one value', () => {
    expect(summarizeReplicates([0.25])).toEqual({ mean: 0.25, standardDeviation: null, n: 1 });
  });

  it('keeps its digits beside a large offset', () => {
    // NIST StRD NumAcc4: 10000000.2 once, then .1 and .3 alternating 500 times; mean 10000000.2, deviation 0.1.
    const values = [10000000.2];
    for (let i = 0; i < 500; i++) values.push(10000000.1, 10000000.3);
    const { mean, standardDeviation } = summarizeReplicates(values);
    expect(mean).toBeCloseTo(10000000.2, 8);
    // The values themselves are rounded to 1.9e-9, which the certified value leaves out.
    expect(Math.abs(standardDeviation! - 0.1)).toBeLessThan(2e-9);
  });

  it('sums what plain addition would lose', () => {
    expect(summarizeReplicates([1e100, 1, -1e100, 1]).mean).toBe(0.5);
  });

  it('shows values that are not finite', () => {
    expect(summarizeReplicates([1, Number.NaN]).mean).toBeNaN();
    expect(summarizeReplicates([1, Number.POSITIVE_INFINITY]).mean).toBe(Number.POSITIVE_INFINITY);
    expect(() => summarizeReplicates([])).toThrow(RangeError);
  });
});
