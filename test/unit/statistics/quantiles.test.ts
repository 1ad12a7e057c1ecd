import { expect, test } from 'vitest';
import { normalAbove } from '#src/statistics/normalDistribution.ts';
import { betaBelow, betaQuantile } from '#src/statistics/betaDistribution.ts';
import { normalBelow, normalQuantile } from '#src/statistics/normalQuantile.ts';

// scipy 1.17.1: scipy.stats.norm.ppf, scipy.stats.beta.ppf, scipy.stats.beta.cdf
test.each([
  [1e-10, -6.361340902404056],
  [0.025, -1.9599639845400545],
  [0.3, -0.5244005127080409],
  [0.975, 1.959963984540054],
])('the normal quantile of %d is that of scipy', (p, z) => {
  expect(normalQuantile(p)).toBeCloseTo(z, 12);
  expect(normalBelow(z) / p).toBeCloseTo(1, 7);
});

test('the quantiles of 0 and 1 are infinite, and what is no probability is refused', () => {
  expect([normalQuantile(0), normalQuantile(1)]).toEqual([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);
  expect(() => normalQuantile(1.1)).toThrow(/between 0 and 1, received 1.1/);
});

test('quantiles and distribution function of the beta distribution are those of scipy', () => {
  const shape = { a: 2, b: 5 };
  expect(betaQuantile(0.1, shape)).toBeCloseTo(0.09259525891312873, 12);
  expect(betaQuantile(0.5, shape)).toBeCloseTo(0.26444998329566005, 12);
  expect(betaQuantile(0.99, shape)).toBeCloseTo(0.7056863283197075, 12);
  const steep = { a: 0.5, b: 3 };
  expect(betaBelow(0.01, steep)).toBeCloseTo(0.18625375, 12);
  expect(betaBelow(0.2, steep)).toBeCloseTo(0.733430296619931, 12);
  expect(betaBelow(0.9, steep)).toBeCloseTo(0.9996750253207289, 12);
});

test('the fast normal distribution function agrees with the exact one to 14 digits after the point', () => {
  for (let z = -40; z <= 40; z += 0.07) expect(Math.abs(normalBelow(z) - normalAbove(-z))).toBeLessThan(1e-14);
});
