import { describe, expect, test } from 'vitest';
import { summarizeReplicates } from '#src/statistics/replicates.ts';
import { descendNetwork } from '#workers/kernels/networks/descendNetwork.ts';
import { empiricalTangentKernel } from '#workers/kernels/networks/empiricalTangentKernel.ts';
import {
  drawFiniteNetwork,
  type FiniteNetwork,
  type NetworkSamples,
  samplesWithStates,
  traceNetwork,
} from '#workers/kernels/networks/finiteNetwork.ts';
import { recurrentKernelPair } from '#workers/kernels/recurrent/recurrentKernelPair.ts';
import type { RecurrentKernelParameters } from '#workers/kernels/recurrent/recurrentKernelParameters.ts';
import { vectorSequencePair } from '#workers/kernels/recurrent/sequencePair.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';

const base: RecurrentKernelParameters = {
  activation: 'erf',
  layers: 2,
  sigmaW: [1.2, 0.9],
  sigmaU: [0.8, 1.1],
  sigmaV: 1.3,
  sigmaB: [0.3, 0.2],
  sigmaH: [0.5, 0.4],
};
const DIMENSION = 2;

function drawn(untied: boolean, seed: number, { width = 5, count = 3, length = 4 } = {}) {
  const generator = randomGenerator(seed, 'finite network test');
  const network = drawFiniteNetwork(
    base,
    { width, dimension: DIMENSION, untiedSteps: untied ? length : null },
    generator,
  );
  const values = Float64Array.from({ length: count * length * DIMENSION }, () => generator.normal());
  return { network, samples: samplesWithStates(network, { values, count, length }, generator), generator };
}

/** Every array of weights with what one unit of the standard normal parameter of Eq. 4 changes in it. */
function parameterArrays({
  steps,
  readOut,
  width,
  parameters,
}: FiniteNetwork): { array: Float64Array; unit: number }[] {
  const at = (sigma: number | readonly number[], layer: number) => (typeof sigma === 'number' ? sigma : sigma[layer]!);
  const root = Math.sqrt(width);
  const ofSteps = steps.flatMap((step) =>
    step.bias.flatMap((bias, layer) => [
      { array: step.recurrent[layer]!, unit: at(parameters.sigmaW, layer) / root },
      { array: step.input[layer]!, unit: at(parameters.sigmaU, layer) / (layer > 0 ? root : Math.sqrt(DIMENSION)) },
      { array: bias, unit: at(parameters.sigmaB, layer) },
    ]),
  );
  return [...ofSteps, { array: readOut, unit: parameters.sigmaV / root }];
}

/** ∂ f(x_i) / ∂ θ by central differences: a list of (count) for each parameter. */
function slowGradients(network: FiniteNetwork, samples: NetworkSamples): Float64Array[] {
  const step = 1e-5;
  return parameterArrays(network).flatMap(({ array, unit }) =>
    Array.from(array, (kept, i) => {
      array[i] = kept + step * unit;
      const above = traceNetwork(network, samples).outputs;
      array[i] = kept - step * unit;
      const below = traceNetwork(network, samples).outputs;
      array[i] = kept;
      return above.map((output, sample) => (output - below[sample]!) / (2 * step));
    }),
  );
}

describe.each([false, true])('weights of their own at each time step: %s', (untied) => {
  test('the empirical tangent kernel is the inner product of gradients by finite differences', () => {
    const { network, samples } = drawn(untied, 3);
    const trace = traceNetwork(network, samples);
    const kernel = empiricalTangentKernel(network, trace, trace);
    const gradients = slowGradients(network, samples);
    for (let row = 0; row < kernel.rows; row++) {
      for (let column = 0; column < kernel.columns; column++) {
        const slow = gradients.reduce((sum, gradient) => sum + gradient[row]! * gradient[column]!, 0);
        expect(kernel.values[row * kernel.columns + column]).toBeCloseTo(slow, 7);
      }
    }
  });

  test('a step of gradient descent moves every parameter against its gradient by finite differences', () => {
    const { network, samples } = drawn(untied, 4);
    const targets = Float64Array.of(1, -1, 0.5);
    const residuals = traceNetwork(network, samples).outputs.map((output, i) => output - targets[i]!);
    const gradients = slowGradients(network, samples);
    const before = parameterArrays(network).flatMap(({ array, unit }) => Array.from(array, (weight) => weight / unit));
    const loss = descendNetwork(network, samples, { targets, learningRate: 0.01 });
    expect(loss).toBeCloseTo(0.5 * residuals.reduce((sum, r) => sum + r * r, 0), 12);
    const after = parameterArrays(network).flatMap(({ array, unit }) => Array.from(array, (weight) => weight / unit));
    for (const [i, gradient] of gradients.entries()) {
      const slope = residuals.reduce((sum, r, sample) => sum + r * gradient[sample]!, 0);
      expect(after[i]! - before[i]!).toBeCloseTo(-0.01 * slope, 8);
    }
  });

  test('its mean over networks is the limit', () => {
    const [width, networks, length] = [60, 150, 3];
    const sums = { theta: 0, square: 0 };
    let limit = 0;
    for (let seed = 0; seed < networks; seed++) {
      const { network, samples } = drawn(untied, seed, { width, count: 2, length });
      samples.values.set([0.5, -1, 0.3, 0.8, -0.6, 0.2, 1.1, 0.4, -0.2, 0.9, 0.7, -0.5]);
      const trace = traceNetwork(network, samples);
      const theta = empiricalTangentKernel(network, trace, trace).values[1]!;
      sums.theta += theta / networks;
      sums.square += theta ** 2 / networks;
      const rows = [0, 1].map((sample) =>
        Array.from({ length }, (_, t) => [
          ...samples.values.subarray((sample * length + t) * 2, (sample * length + t + 1) * 2),
        ]),
      );
      limit = recurrentKernelPair(base, vectorSequencePair(rows[0]!, rows[1]!)).theta;
    }
    const standardError = Math.sqrt((sums.square - sums.theta ** 2) / networks);
    // the bias of a finite width is of the order of 1 / n
    expect(Math.abs(sums.theta - limit)).toBeLessThan(4 * standardError + limit / width);
  });
});

test('the pair of different lengths of RNTK Figure 2 comes to its limit with the root of the width', () => {
  const parameters: RecurrentKernelParameters = {
    activation: 'relu',
    layers: 1,
    sigmaW: 1,
    sigmaU: 1,
    sigmaV: 1,
    sigmaB: 0.1,
    sigmaH: 0,
  };
  const limit = recurrentKernelPair(
    parameters,
    vectorSequencePair([[1], [-1], [1]], [[Math.cos(1)], [Math.sin(1)]]),
  ).theta;
  const deviationsAt = (width: number): number[] =>
    Array.from({ length: 200 }, (_, seed) => {
      const generator = randomGenerator(seed, `figure 2 test ${width}`);
      const network = drawFiniteNetwork(parameters, { width, dimension: 1, untiedSteps: null }, generator);
      const long = samplesWithStates(network, { values: Float64Array.of(1, -1, 1), count: 1, length: 3 }, generator);
      const values = Float64Array.of(Math.cos(1), Math.sin(1));
      const short = samplesWithStates(network, { values, count: 1, length: 2 }, generator);
      const traces = [traceNetwork(network, long), traceNetwork(network, short)] as const;
      return empiricalTangentKernel(network, ...traces).values[0]! / limit - 1;
    });
  const [narrow, wide] = [40, 160].map((width) => {
    const deviations = deviationsAt(width);
    const { mean, standardDeviation } = summarizeReplicates(deviations);
    // the bias of a finite width is of the order of 1 / n
    expect(Math.abs(mean)).toBeLessThan((4 * standardDeviation!) / Math.sqrt(deviations.length) + 1 / width);
    return Math.sqrt(deviations.reduce((sum, deviation) => sum + deviation ** 2, 0) / deviations.length);
  });
  // the quotient of two deviations of 200 each is itself known to 7 %: three times that on each side of one half
  expect(wide! / narrow!).toBeGreaterThan(0.4);
  expect(wide! / narrow!).toBeLessThan(0.6);
  // independent widths' relative deviation is of the order of 1 / √n
  expect(wide! * Math.sqrt(160)).toBeGreaterThan(0.5);
  expect(wide! * Math.sqrt(160)).toBeLessThan(4);
});
