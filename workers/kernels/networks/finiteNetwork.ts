import { pointwiseActivation } from '#workers/math/activations/pointwiseActivation.ts';
import type { RandomGenerator } from '#workers/math/random/randomGenerator.ts';
import { recurrentCoefficients } from '../recurrent/recurrentCoefficients.ts';
import type { RecurrentKernelParameters } from '../recurrent/recurrentKernelParameters.ts';

/** A finite network of RNTK Eqs. 1-4, with the weights that it computes with: W = σ_w / √n · 𝐖, and so on. */
export interface FiniteNetwork {
  parameters: RecurrentKernelParameters;
  /** n, hidden units of each layer. */
  width: number;
  /** m, numbers of one time step. */
  dimension: number;
  /** One for all time steps (tied), or one for each time step (Section 3.3). */
  steps: NetworkStep[];
  /** V (n). */
  readOut: Float64Array;
}

/** The weights of one time step, or of all, by layer. */
export interface NetworkStep {
  /** W (n, n). */
  recurrent: Float64Array[];
  /** U (n, m) of the first layer, (n, n) of the others. */
  input: Float64Array[];
  /** b (n). */
  bias: Float64Array[];
}

/** Samples of T steps each, with initial hidden states of their own. */
export interface NetworkSamples {
  count: number;
  /** T */
  length: number;
  /** (count, T, m) */
  values: Float64Array;
  /** h(l, 0), by layer (count, n). */
  initial: Float64Array[];
}

/** Outputs, hidden states and gradients of all samples. */
export interface NetworkTrace {
  samples: NetworkSamples;
  /** f (count). */
  outputs: Float64Array;
  /** h(l, t) by [layer][step], t from 1; (count, n) each. */
  states: Float64Array[][];
  /** ∇_{g(l, t)} f by [layer][step]; (count, n) each. */
  gradients: Float64Array[][];
}

function normals(count: number, deviation: number, generator: RandomGenerator): Float64Array {
  const drawn = new Float64Array(count);
  if (deviation > 0) for (let i = 0; i < count; i++) drawn[i] = deviation * generator.normal();
  return drawn;
}

/**
 * A network drawn by RNTK Eqs. 3 and 4. `untiedSteps` is null for weights shared by all time steps, else the number of time
 * steps that have weights of their own.
 */
export function drawFiniteNetwork(
  parameters: RecurrentKernelParameters,
  shape: { width: number; dimension: number; untiedSteps: number | null },
  generator: RandomGenerator,
): FiniteNetwork {
  const { width, dimension, untiedSteps } = shape;
  const { squareW, squareU, squareB, squareV } = recurrentCoefficients(parameters);
  const drawStep = (): NetworkStep => ({
    recurrent: Array.from(squareW, (square) => normals(width * width, Math.sqrt(square / width), generator)),
    input: Array.from(squareU, (square, layer) => {
      const inputs = layer === 0 ? dimension : width;
      return normals(width * inputs, Math.sqrt(square / inputs), generator);
    }),
    bias: Array.from(squareB, (square) => normals(width, Math.sqrt(square), generator)),
  });
  const readOut = normals(width, Math.sqrt(squareV / width), generator);
  return { parameters, width, dimension, readOut, steps: Array.from({ length: untiedSteps ?? 1 }, drawStep) };
}

/** Initial hidden states N(0, σ_h²) for `count` samples of `length` steps. */
export function samplesWithStates(
  network: FiniteNetwork,
  given: { values: Float64Array; count: number; length: number },
  generator: RandomGenerator,
): NetworkSamples {
  const { squareH } = recurrentCoefficients(network.parameters);
  return {
    ...given,
    initial: Array.from(squareH, (square) => normals(given.count * network.width, Math.sqrt(square), generator)),
  };
}

export function stepOf(network: FiniteNetwork, step: number): NetworkStep {
  return network.steps.length === 1 ? network.steps[0] : network.steps[step];
}

/** outputs += inputs · Wᵀ: (count, rows) += (count, columns) · (rows, columns)ᵀ, each row of W read once for all samples. */
function addProducts(outputs: Float64Array, weights: Float64Array, inputs: Float64Array, count: number): void {
  const rows = outputs.length / count;
  const columns = inputs.length / count;
  for (let row = 0; row < rows; row++) {
    const start = row * columns;
    for (let sample = 0; sample < count; sample++) {
      const from = sample * columns;
      let s0 = 0;
      let s1 = 0;
      let s2 = 0;
      let s3 = 0;
      let j = 0;
      for (; j + 3 < columns; j += 4) {
        s0 += weights[start + j] * inputs[from + j];
        s1 += weights[start + j + 1] * inputs[from + j + 1];
        s2 += weights[start + j + 2] * inputs[from + j + 2];
        s3 += weights[start + j + 3] * inputs[from + j + 3];
      }
      for (; j < columns; j++) s0 += weights[start + j] * inputs[from + j];
      outputs[sample * rows + row] += s0 + s1 + (s2 + s3);
    }
  }
}

/** outputs += inputs · W: (count, columns) += (count, rows) · (rows, columns). */
function addTransposedProducts(
  outputs: Float64Array,
  weights: Float64Array,
  inputs: Float64Array,
  count: number,
): void {
  const rows = inputs.length / count;
  const columns = outputs.length / count;
  for (let row = 0; row < rows; row++) {
    const start = row * columns;
    for (let sample = 0; sample < count; sample++) {
      const factor = inputs[sample * rows + row];
      if (factor === 0) continue;
      const to = sample * columns;
      for (let j = 0; j < columns; j++) outputs[to + j] += factor * weights[start + j];
    }
  }
}

/** The inputs of all samples at one step (count, m). */
export function stepInputs({ values, count, length }: NetworkSamples, dimension: number, step: number): Float64Array {
  const inputs = new Float64Array(count * dimension);
  for (let sample = 0; sample < count; sample++) {
    const from = (sample * length + step) * dimension;
    inputs.set(values.subarray(from, from + dimension), sample * dimension);
  }
  return inputs;
}

/** Runs all samples through the network and back: RNTK Eqs. 1 and 2 and their gradients. */
export function traceNetwork(network: FiniteNetwork, samples: NetworkSamples): NetworkTrace {
  const { width, dimension, parameters, readOut } = network;
  const { count, length } = samples;
  const phi = pointwiseActivation(parameters.activation);
  const states: Float64Array[][] = [];
  const slopes: Float64Array[][] = [];
  for (let layer = 0; layer < parameters.layers; layer++) {
    states.push([]);
    slopes.push([]);
    for (let t = 0; t < length; t++) {
      const { recurrent, input, bias } = stepOf(network, t);
      const before = t > 0 ? states[layer][t - 1] : samples.initial[layer];
      const sums = new Float64Array(count * width);
      for (let sample = 0; sample < count; sample++) sums.set(bias[layer], sample * width);
      addProducts(sums, recurrent[layer], before, count);
      addProducts(sums, input[layer], layer > 0 ? states[layer - 1][t] : stepInputs(samples, dimension, t), count);
      slopes[layer].push(sums.map((sum) => phi.slope(sum)));
      states[layer].push(sums.map((sum) => phi.value(sum)));
    }
  }
  const last = states[parameters.layers - 1][length - 1];
  const outputs = new Float64Array(count);
  addProducts(outputs, readOut, last, count);
  return { samples, outputs, states, gradients: backwards(network, samples, slopes) };
}

function backwards(
  network: FiniteNetwork,
  { count, length }: NetworkSamples,
  slopes: Float64Array[][],
): Float64Array[][] {
  const { width, parameters, readOut } = network;
  const top = parameters.layers - 1;
  const gradients = slopes.map((ofLayer) => ofLayer.map(() => new Float64Array(0)));
  for (let layer = top; layer >= 0; layer--) {
    for (let t = length - 1; t >= 0; t--) {
      const gradient = new Float64Array(count * width);
      if (layer === top && t === length - 1) {
        for (let sample = 0; sample < count; sample++) gradient.set(readOut, sample * width);
      }
      if (t + 1 < length) {
        addTransposedProducts(gradient, stepOf(network, t + 1).recurrent[layer], gradients[layer][t + 1], count);
      }
      if (layer < top) {
        addTransposedProducts(gradient, stepOf(network, t).input[layer + 1], gradients[layer + 1][t], count);
      }
      const slope = slopes[layer][t];
      for (let i = 0; i < gradient.length; i++) gradient[i] *= slope[i];
      gradients[layer][t] = gradient;
    }
  }
  return gradients;
}
