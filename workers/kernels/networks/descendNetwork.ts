import { type FiniteNetwork, type NetworkSamples, stepInputs, stepOf, traceNetwork } from './finiteNetwork.ts';
import { recurrentCoefficients } from '../recurrent/recurrentCoefficients.ts';

/**
 * One step of gradient descent on ½ Σ (f(x_i) − y_i)² over the parameters of Eq. 4 (NTK parametrisation: a weight with
 * variance σ²/n moves by η σ²/n times its own gradient). Changes the network in place; returns the loss before the step.
 */
export function descendNetwork(
  network: FiniteNetwork,
  samples: NetworkSamples,
  { targets, learningRate }: { targets: Float64Array; learningRate: number },
): number {
  const { width, dimension, parameters, readOut } = network;
  const { squareW, squareU, squareB, squareV } = recurrentCoefficients(parameters);
  const trace = traceNetwork(network, samples);
  const residuals = trace.outputs.map((output, i) => output - targets[i]);
  const loss = 0.5 * residuals.reduce((sum, residual) => sum + residual * residual, 0);
  const top = parameters.layers - 1;
  const read = residuals.map((residual) => (-learningRate * squareV * residual) / width);
  addOuterProducts(readOut, read, trace.states[top][samples.length - 1]);
  for (let layer = 0; layer <= top; layer++) {
    for (let t = 0; t < samples.length; t++) {
      const { recurrent, input, bias } = stepOf(network, t);
      const scaled = trace.gradients[layer][t].map(
        (gradient, i) => -learningRate * residuals[Math.floor(i / width)] * gradient,
      );
      const before = t > 0 ? trace.states[layer][t - 1] : samples.initial[layer];
      addOuterProducts(
        recurrent[layer],
        scaled.map((g) => (g * squareW[layer]) / width),
        before,
      );
      const inputs = layer > 0 ? trace.states[layer - 1][t] : stepInputs(samples, dimension, t);
      const inputWidth = layer > 0 ? width : dimension;
      addOuterProducts(
        input[layer],
        scaled.map((g) => (g * squareU[layer]) / inputWidth),
        inputs,
      );
      for (let i = 0; i < scaled.length; i++) bias[layer][i % width] += squareB[layer] * scaled[i];
    }
  }
  return loss;
}

/** weights (rows, columns) += Σ_samples left (samples, rows)ᵀ · right (samples, columns). */
function addOuterProducts(weights: Float64Array, left: Float64Array, right: Float64Array): void {
  const columns = columnsOf(weights, left, right);
  const rows = weights.length / columns;
  const count = left.length / rows;
  for (let row = 0; row < rows; row++) {
    for (let sample = 0; sample < count; sample++) {
      const factor = left[sample * rows + row];
      if (factor === 0) continue;
      for (let j = 0, to = row * columns, from = sample * columns; j < columns; j++) {
        weights[to + j] += factor * right[from + j];
      }
    }
  }
}

/** Of weights (r, c), left (s, r) and right (s, c): c = √(weights · right / left). */
function columnsOf(weights: Float64Array, left: Float64Array, right: Float64Array): number {
  return Math.round(Math.sqrt((weights.length * right.length) / left.length));
}
