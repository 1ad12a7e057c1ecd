import { expect, test } from 'vitest';
import { kernelSensitivity } from '#workers/kernels/recurrent/kernelSensitivity.ts';
import { recurrentKernelPair } from '#workers/kernels/recurrent/recurrentKernelPair.ts';
import type { RecurrentKernelParameters } from '#workers/kernels/recurrent/recurrentKernelParameters.ts';
import { vectorSequencePair } from '#workers/kernels/recurrent/sequencePair.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';

const STEP = 1e-4;

test.each([
  ['relu', 1, 3, 7, 7],
  ['relu', 1, 1, 8, 8],
  ['relu', 3, 2, 9, 5],
  ['relu', 2, 1, 4, 7],
  ['erf', 1, 1, 8, 8],
  ['erf', 3, 2, 9, 5],
  ['linear', 2, 2, 5, 6],
] as const)(
  '%s, %i layers, vectors of %i, lengths %i and %i: central differences agree',
  (activation, layers, m, length, other) => {
    const random = randomGenerator(5, `${activation} ${layers}`);
    const sequence = (steps: number) =>
      Array.from({ length: steps }, () => Array.from({ length: m }, () => random.normal()));
    const x = sequence(length);
    const y = sequence(other);
    // Without biases and initial states scalar inputs are collinear at the first step: the case of Figure 3.
    const sigmaB = m === 1 ? 0 : 0.2;
    const network: RecurrentKernelParameters = {
      activation,
      layers,
      sigmaW: 1.3,
      sigmaU: 0.9,
      sigmaV: 1.1,
      sigmaB,
      sigmaH: 0,
    };
    for (const kernel of ['rntk', 'nngp'] as const) {
      const { gradient, sensitivity } = kernelSensitivity(network, { x, y }, kernel);
      const value = (t: number, k: number, change: number) => {
        const moved = x.map((vector) => [...vector]);
        moved[t]![k]! += change;
        const found = recurrentKernelPair(network, vectorSequencePair(moved, y));
        return kernel === 'rntk' ? found.theta : found.nngp;
      };
      const scale = Math.max(...gradient.map(Math.abs));
      for (let t = 0; t < length; t++) {
        let square = 0;
        for (let k = 0; k < m; k++) {
          // Richardson: the errors of second order of two steps cancel.
          const wide = (value(t, k, 2 * STEP) - value(t, k, -2 * STEP)) / (4 * STEP);
          const narrow = (value(t, k, STEP) - value(t, k, -STEP)) / (2 * STEP);
          const expected = (4 * narrow - wide) / 3;
          const found = gradient[t * m + k]!;
          expect(Math.abs(found - expected), `${kernel} ${t} ${k}: ${found}, ${expected}`).toBeLessThanOrEqual(
            1e-7 * scale,
          );
          square += found * found;
        }
        expect(sensitivity[t]).toBeCloseTo(Math.sqrt(square), 12);
      }
    }
  },
);

test('a hundred steps of scalar noise at the hyper-parameters of Figure 3 stay finite', () => {
  const random = randomGenerator(6, 'figure 3');
  const noise = () => Array.from({ length: 100 }, () => [random.normal()]);
  const relu = {
    activation: 'relu',
    layers: 1,
    sigmaW: Math.SQRT2,
    sigmaU: 1,
    sigmaV: 1,
    sigmaB: 0,
    sigmaH: 0,
  } as const;
  const { sensitivity } = kernelSensitivity(relu, { x: noise(), y: noise() });
  expect(sensitivity.every((s) => Number.isFinite(s) && s > 0)).toBe(true);
});

test('activations by quadrature and ragged vectors are refused', () => {
  const network = { activation: 'tanh', layers: 1, sigmaW: 1, sigmaU: 1, sigmaV: 1, sigmaB: 0, sigmaH: 0 } as const;
  expect(() => kernelSensitivity(network, { x: [[1]], y: [[1]] })).toThrow(/relu, erf and linear only/);
  expect(() => kernelSensitivity({ ...network, activation: 'erf' }, { x: [[1]], y: [[1, 2]] })).toThrow(
    /y\[0\]|1 finite/,
  );
});
