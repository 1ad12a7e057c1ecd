import { expect, test } from 'vitest';
import { dualActivationOf } from '#workers/math/activations/activation.ts';
import { dualActivations } from '#workers/math/activations/dualActivation.ts';
import { gaussHermite } from '#workers/math/activations/gaussHermite.ts';
import {
  activationFunctions,
  normalDistribution,
  quadratureActivation,
} from '#workers/math/activations/quadratureActivation.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';

const POINTS = [
  [1, 1, 0.5],
  [0.3, 2, -0.6],
  [2, 0.5, 0.999],
  [1.2, 1.2, 1.2],
  [0.7, 1.5, 0],
  [0, 1, 0],
] as const;

test('Gauss-Hermite rules integrate the moments of the normal distribution', () => {
  for (const count of [1, 2, 5, 20, 64]) {
    const { nodes, weights } = gaussHermite(count);
    let moment = 1;
    for (let degree = 0; degree < Math.min(2 * count, 21); degree += 2) {
      if (degree > 0) moment *= degree - 1;
      const found = nodes.reduce((sum, node, i) => sum + weights[i]! * node ** degree, 0);
      expect(Math.abs(found - moment)).toBeLessThanOrEqual(1e-12 * moment);
    }
  }
});

test('quadrature of erf agrees with its closed form, of ReLU as far as its kink allows', () => {
  const slope = (z: number) => (2 / Math.sqrt(Math.PI)) * Math.exp(-z * z);
  const erf = quadratureActivation({ value: (z) => 2 * normalDistribution(z * Math.SQRT2) - 1, slope });
  const relu = quadratureActivation({ value: (z) => Math.max(z, 0), slope: (z) => (z > 0 ? 1 : 0) }, 200);
  for (const [k1, k2, k3] of POINTS) {
    expect(Math.abs(erf.value(k1, k2, k3) - dualActivations.erf.value(k1, k2, k3))).toBeLessThanOrEqual(1e-9);
    expect(Math.abs(erf.slope(k1, k2, k3) - dualActivations.erf.slope(k1, k2, k3))).toBeLessThanOrEqual(1e-7);
    expect(Math.abs(relu.value(k1, k2, k3) - dualActivations.relu.value(k1, k2, k3))).toBeLessThanOrEqual(5e-3);
  }
});

test.each(['gelu', 'tanh', 'sigmoid'] as const)(
  'V and V′ of %s lie within four standard errors of Monte Carlo',
  (name) => {
    const random = randomGenerator(17, name);
    const phi = activationFunctions[name];
    const dual = dualActivationOf(name);
    const draws = 100_000;
    for (const [k1, k2, k3] of POINTS.slice(0, 4)) {
      const c = k3 / Math.sqrt(k1 * k2);
      for (const part of ['value', 'slope'] as const) {
        let [sum, squares] = [0, 0];
        for (let draw = 0; draw < draws; draw++) {
          const u = random.normal();
          const v = c * u + Math.sqrt(Math.max(0, 1 - c * c)) * random.normal();
          const product = phi[part](Math.sqrt(k1) * u) * phi[part](Math.sqrt(k2) * v);
          sum += product;
          squares += product * product;
        }
        const mean = sum / draws;
        const error = Math.sqrt((squares / draws - mean * mean) / draws);
        expect(Math.abs(dual[part](k1, k2, k3) - mean), `${part} at ${k1} ${k2} ${k3}`).toBeLessThanOrEqual(4 * error);
      }
    }
  },
);

test('more nodes change little at moderate variances', () => {
  for (const phi of Object.values(activationFunctions)) {
    const [few, many] = [quadratureActivation(phi), quadratureActivation(phi, 128)];
    for (const [k1, k2, k3] of POINTS) {
      expect(Math.abs(few.value(k1, k2, k3) - many.value(k1, k2, k3))).toBeLessThanOrEqual(1e-6);
      expect(Math.abs(few.slope(k1, k2, k3) - many.slope(k1, k2, k3))).toBeLessThanOrEqual(1e-5);
    }
  }
});

test('the normal distribution function at known places', () => {
  // Abramowitz and Stegun, table 26.1.
  expect(normalDistribution(1)).toBeCloseTo(0.841344746068543, 14);
  expect(normalDistribution(2)).toBeCloseTo(0.977249868051821, 14);
  expect(normalDistribution(-3)).toBeCloseTo(0.00134989803163009, 15);
  expect(normalDistribution(5)).toBeCloseTo(1 - 2.866515718791939e-7, 15);
});
