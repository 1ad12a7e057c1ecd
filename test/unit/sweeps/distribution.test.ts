import { expect, test } from 'vitest';
import { unitCell, valueAt } from '#src/sweeps/search/distribution.ts';
import { readParameter } from '#src/sweeps/search/parameterSchema.ts';

const read = (given: unknown) => readParameter(given, 'parameters.x').distribution;
const draw = (given: unknown, unit: number) => valueAt(read(given), unit);
const number = (given: unknown, unit: number): number => Number(draw(given, unit));

// the formulas of wandb/sweeps, params.py, at the share 0.3
test.each([
  [{ distribution: 'uniform', min: 2, max: 4 }, 2.6],
  [{ min: 0.5, max: 1.5 }, 0.8],
  [{ distribution: 'log_uniform', min: -2, max: 3 }, Math.exp(-0.5)],
  [{ distribution: 'inv_log_uniform', min: -2, max: 3 }, Math.exp(-(-2 + 0.7 * 5))],
  [{ distribution: 'log_uniform_values', min: 1e-4, max: 1e-1 }, 1e-4 * 1000 ** 0.3],
  [{ distribution: 'inv_log_uniform_values', min: 1e-4, max: 1e-1 }, 1e-4 * 1000 ** 0.3],
  [{ distribution: 'normal', mu: 1, sigma: 2 }, 1 + 2 * -0.5244005127080409],
  [{ distribution: 'normal' }, -0.5244005127080409],
  [{ distribution: 'log_normal', mu: 1, sigma: 2 }, Math.exp(1 + 2 * -0.5244005127080409)],
  [{ distribution: 'beta', a: 1, b: 2 }, 1 - Math.sqrt(0.7)],
])('%j has W&B’s quantile', (given, expected) => {
  expect(number(given, 0.3) / expected).toBeCloseTo(1, 10);
});

test.each([
  [{ distribution: 'q_uniform', min: 0, max: 10, q: 2.5 }, [0, 2.5, 5, 7.5, 10]],
  [{ distribution: 'q_log_uniform_values', min: 8, max: 64, q: 8 }, [8, 16, 24, 32, 40, 48, 56, 64]],
  [{ distribution: 'q_log_uniform', min: Math.log(1), max: Math.log(4) }, [1, 2, 3, 4]],
  [{ min: 3, max: 6 }, [3, 4, 5, 6]],
  [{ distribution: 'q_uniform', min: 0.1, max: 0.5, q: 0.1 }, [0.1, 0.2, 0.3, 0.4, 0.5]],
  [{ distribution: 'q_beta', q: 0.5 }, [0, 0.5, 1]],
])('%j draws its multiples alone', (given, expected) => {
  const drawn = new Set(Array.from({ length: 401 }, (_, i) => number(given, i / 400)));
  expect([...drawn].sort((a, b) => a - b)).toEqual(expected);
});

test('whole numbers are drawn with the same share each', () => {
  const counts = [0, 0, 0, 0];
  for (let i = 0; i < 4000; i++) counts[number({ min: 0, max: 3 }, (i + 0.5) / 4000)]! += 1;
  expect(counts).toEqual([1000, 1000, 1000, 1000]);
});

test('categories are drawn by their probabilities', () => {
  const given = { values: ['a', 'b', { deep: true }], probabilities: [0.5, 0, 0.5] };
  expect([0, 0.49, 0.5, 0.99, 1].map((unit) => draw(given, unit))).toEqual([
    'a',
    'a',
    { deep: true },
    { deep: true },
    { deep: true },
  ]);
  expect(draw({ value: null }, 0.7)).toBeNull();
});

test('the part of a value holds every share that draws it, and no other', () => {
  for (const given of [
    { distribution: 'q_normal', mu: 3, sigma: 2, q: 0.5 },
    { distribution: 'q_log_uniform_values', min: 1, max: 100, q: 5 },
    { min: -2, max: 2 },
  ]) {
    const distribution = read(given);
    if (distribution.type !== 'numeric') throw new Error('expected numbers');
    for (let i = 1; i < 100; i++) {
      const unit = i / 100;
      const { low, high } = unitCell(distribution, Number(valueAt(distribution, unit)));
      expect(low - 1e-12 <= unit && unit <= high + 1e-12).toBe(true);
    }
  }
});

test.each([
  [{ min: 2 }, /x: expected value, values, min and max, or a distribution/],
  [{ min: 2, max: 1 }, /min 2 is above max 1/],
  [{ distribution: 'log_uniform_values', min: 0, max: 1 }, /values above 0/],
  [{ distribution: 'log_uniform', min: 1, max: 1000 }, /exponent of e here; for values take log_uniform_values/],
  [{ distribution: 'loguniform', min: 1, max: 2 }, /no distribution "loguniform".*log_uniform/],
  [{ distribution: 'normal', min: 1 }, /normal takes no min; it takes mu, sigma/],
  [{ values: [1, 2], probabilities: [0.5, 0.2] }, /expected 2 that sum to 1, received 2 that sum to 0.7/],
  [{ distribution: 'int_uniform', min: 0.5, max: 2 }, /whole numbers, received 0.5 to 2/],
  [{ values: [] }, /x.values: received \[\], expected at least 1 entries/],
  [{ values: 3 }, /x.values: received 3, expected an array/],
  [{ min: '1e-4', max: 1 }, /x.min: received "1e-4", expected a number/],
  [{ minimum: 1, max: 2 }, /x.minimum: is not known/],
  [7, /x: received 7, expected an object, such as \{ value: 7 \}/],
])('%j is refused in words', (given, message) => {
  expect(() => read(given)).toThrow(message);
});
