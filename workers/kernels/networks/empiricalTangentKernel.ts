import { type FiniteNetwork, type NetworkTrace, stepInputs } from './finiteNetwork.ts';
import type { KernelMatrix } from '../recurrent/kernelMatrix.ts';
import { recurrentCoefficients } from '../recurrent/recurrentCoefficients.ts';

/**
 * The empirical tangent kernel Θ̂(x, x') = ⟨∇_θ f(x), ∇_θ f(x')⟩ of a finite network (RNTK, Section 2) between the samples of
 * two traces, over the parameters 𝐖, 𝐔, 𝐛, 𝐕 of Eq. 4. No gradient is formed: that of W is a sum of outer products
 * δ(t) h(t-1)ᵀ, so inner products of δ and of h suffice, O(T T' n) a pair. With untied weights only equal time steps meet.
 * The traces may have different lengths when the weights are tied.
 */
export function empiricalTangentKernel(network: FiniteNetwork, a: NetworkTrace, b: NetworkTrace): KernelMatrix {
  const { width, dimension, parameters, steps } = network;
  const { squareW, squareU, squareB, squareV } = recurrentCoefficients(parameters);
  const rows = a.samples.count;
  const columns = b.samples.count;
  const isTied = steps.length === 1;
  const values = new Float64Array(rows * columns);
  const top = parameters.layers - 1;
  const add = (left: Float64Array, right: Float64Array, scale: number) =>
    innerProducts(left, right, rows, columns).map((product) => scale * product);
  accumulate(values, add(a.states[top].at(-1)!, b.states[top].at(-1)!, squareV / width));
  for (let layer = 0; layer <= top; layer++) {
    for (let t = 0; t < a.samples.length; t++) {
      for (let s = isTied ? 0 : t; s < (isTied ? b.samples.length : t + 1); s++) {
        const shared = innerProducts(a.gradients[layer][t], b.gradients[layer][s], rows, columns);
        const before = add(stateBefore(a, layer, t), stateBefore(b, layer, s), squareW[layer] / width);
        const inputs =
          layer > 0
            ? add(a.states[layer - 1][t], b.states[layer - 1][s], squareU[layer] / width)
            : add(stepInputs(a.samples, dimension, t), stepInputs(b.samples, dimension, s), squareU[0] / dimension);
        for (let i = 0; i < values.length; i++) values[i] += shared[i] * (before[i] + inputs[i] + squareB[layer]);
      }
    }
  }
  return { rows, columns, values };
}

function stateBefore(trace: NetworkTrace, layer: number, step: number): Float64Array {
  return step > 0 ? trace.states[layer][step - 1] : trace.samples.initial[layer];
}

function accumulate(sums: Float64Array, terms: Float64Array): void {
  for (let i = 0; i < sums.length; i++) sums[i] += terms[i];
}

/** (rows, columns) Inner products of the rows of two matrices. */
function innerProducts(left: Float64Array, right: Float64Array, rows: number, columns: number): Float64Array {
  const width = left.length / rows;
  const products = new Float64Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      let sum = 0;
      for (let j = 0, p = row * width, q = column * width; j < width; j++) sum += left[p + j] * right[q + j];
      products[row * columns + column] = sum;
    }
  }
  return products;
}
