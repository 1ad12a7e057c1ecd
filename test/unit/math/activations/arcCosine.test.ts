import { expect, test } from 'vitest';
import { arcCosine } from '#workers/math/activations/arcCosine.ts';

test('the inverse cosine is within an ulp or two of the runtime’s own', () => {
  for (let step = 0; step <= 40_000; step++) {
    const x = -1 + step / 20_000;
    const expected = Math.acos(x);
    expect(Math.abs(arcCosine(x) - expected)).toBeLessThanOrEqual(4.5e-16 * expected);
  }
});

test('it is exact where it matters for ties: at the ends and beyond, and at 0', () => {
  expect(arcCosine(1)).toBe(0);
  expect(arcCosine(1 + 1e-12)).toBe(0);
  expect(arcCosine(-1)).toBe(Math.PI);
  expect(arcCosine(-1 - 1e-12)).toBe(Math.PI);
  expect(arcCosine(0)).toBe(Math.PI / 2);
});

test('just below 1 it keeps its relative precision', () => {
  for (const distance of [1e-3, 1e-8, 1e-12, 2 ** -53]) {
    expect(arcCosine(1 - distance) / Math.acos(1 - distance)).toBeCloseTo(1, 15);
  }
});
