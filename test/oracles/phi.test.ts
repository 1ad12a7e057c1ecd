import { expect, test } from 'vitest';
import { z } from 'zod';
import { dualActivations } from '#workers/math/activations/dualActivation.ts';
import { oracleFile } from './oracleFile.ts';

const phi = z.enum(['relu', 'erf', 'linear']);
const point = z.object({
  phi,
  K1: z.number(),
  K2: z.number(),
  K3: z.number(),
  V: z.number(),
  Vp: z.number().nullable(),
});
const oracle = oracleFile(
  'phi.json',
  z.object({
    grid: z.array(point),
    zero_variance: z.array(point),
    rounding: z.array(point),
    erf_erratum: z.object({ K1: z.number(), K2: z.number(), K3: z.number(), correct: z.number() }),
  }),
);

test.each([...new Set(oracle.grid.map(({ phi: activation }) => activation))])(
  'V and V′ of %s match the grid, corners included',
  (activation) => {
    const { value, slope } = dualActivations[activation];
    const points = oracle.grid.filter((p) => p.phi === activation);
    for (const { K1, K2, K3, V, Vp } of points) {
      const where = `${activation} at ${K1} ${K2} ${K3}`;
      expect(Math.abs(value(K1, K2, K3) - V), where).toBeLessThanOrEqual(1e-9 * Math.abs(V) + 1e-12);
      const nearOne = activation === 'relu' && Math.abs(K3 / Math.sqrt(K1 * K2)) > 1 - 1e-6;
      expect(Math.abs(slope(K1, K2, K3) - Vp!), where).toBeLessThanOrEqual(nearOne ? 1e-7 : 1e-8);
    }
  },
);

test('where a variance is 0, V is right and V′ is finite', () => {
  for (const { phi: activation, K1, K2, K3, V, Vp } of oracle.zero_variance) {
    const { value, slope } = dualActivations[activation];
    expect(value(K1, K2, K3)).toBeCloseTo(V, 12);
    const found = slope(K1, K2, K3);
    expect(Number.isFinite(found)).toBe(true);
    if (Vp !== null) expect(found).toBeCloseTo(Vp, 8);
  }
});

test('a covariance beyond its bound by rounding counts as the bound, never NaN', () => {
  for (const { phi: activation, K1, K2, K3, V, Vp } of oracle.rounding) {
    const { value, slope } = dualActivations[activation];
    expect(value(K1, K2, K3)).toBeCloseTo(V, 9);
    expect(slope(K1, K2, K3)).toBeCloseTo(Vp!, 8);
  }
});

test('V of erf has the corrected denominator (docs/errata.md, 1)', () => {
  const { K1, K2, K3, correct } = oracle.erf_erratum;
  expect(dualActivations.erf.value(K1, K2, K3)).toBeCloseTo(correct, 12);
});
