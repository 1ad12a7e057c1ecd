import { badInput } from '#src/base/contracts/errors.ts';
import type { ClosedActivation } from '#workers/math/activations/dualActivation.ts';
import { polarAngle } from '#workers/math/activations/polarAngle.ts';
import type { ClosedNetwork } from './recurrentKernelParameters.ts';
import { compiledCoefficients } from './compiledCoefficients.ts';
import { recurrentCoefficients } from './recurrentCoefficients.ts';
import { type SeriesSet, seriesLength } from './seriesSet.ts';

/** The product of two variances must not overflow. */
const GREATEST_VARIANCE = 1e150;

/** What a series has alone, computed once for all pairs that it is part of. */
export interface SeriesDiagonals {
  /** (steps of all series, layers) Sigma^(l,t,t)(x, x). */
  variances: Float64Array;
  /** (series) K and Theta of each series with itself, as one sample: sigma_h enters. */
  nngp: Float64Array;
  theta: Float64Array;
}

/** Expectations where both variances and the covariance are k, value and slope, in the compiled kernel's scale. */
const ownActivations: Readonly<Record<ClosedActivation, (k: number) => readonly [value: number, slope: number]>> = {
  relu: (k) => [k * Math.PI, Math.PI],
  erf(k) {
    const root = Math.sqrt(Math.max((1 + 2 * k) * (1 + 2 * k) - 4 * k * k, 1));
    return [polarAngle(root, 2 * k) * (2 / Math.PI), 4 / Math.PI / root];
  },
  linear: (k) => [k, 1],
};

/** Variances and diagonal kernel values of every series: the recursions of `recurrentKernelPair` for x = x'. */
export function seriesDiagonals(network: ClosedNetwork, set: SeriesSet): SeriesDiagonals {
  const { layers, activation } = network;
  const { squareH } = recurrentCoefficients(network);
  const { memory, input: inputWeights, bias, readOut, scale } = compiledCoefficients(network, set.dimension);
  const { dimension, values, offsets } = set;
  const own = ownActivations[activation];
  const count = offsets.length - 1;
  const variances = new Float64Array(offsets[count] * layers);
  const nngp = new Float64Array(count);
  const theta = new Float64Array(count);
  const state = new Float64Array(layers);
  const gradients = new Float64Array(layers);
  for (let series = 0; series < count; series++) {
    for (let l = 0; l < layers; l++) state[l] = squareH[l] * scale;
    gradients.fill(0);
    for (let t = 0, step = offsets[series]; t < seriesLength(set, series); t++, step++) {
      let input = bias[0];
      for (let k = step * dimension; k < (step + 1) * dimension; k++) input += inputWeights[0] * values[k] * values[k];
      for (let l = 0; l < layers; l++) {
        const sigma = memory[l] * state[l] + input;
        if (!(sigma <= GREATEST_VARIANCE)) throw overflow(series, t, l);
        const psi = sigma + memory[l] * gradients[l] + (l > 0 ? inputWeights[l] * gradients[l - 1] : 0);
        const [value, slope] = own(sigma);
        variances[step * layers + l] = sigma;
        state[l] = value;
        gradients[l] = psi * slope;
        if (l + 1 < layers) input = bias[l + 1] + inputWeights[l + 1] * value;
      }
    }
    nngp[series] = readOut * state[layers - 1];
    theta[series] = nngp[series] + readOut * gradients[layers - 1];
  }
  return { variances, nngp, theta };
}

function overflow(series: number, t: number, l: number): Error {
  return badInput(
    `the variance passes 1e150 at time step ${t}, layer ${l + 1}: a smaller sigmaW, shorter or smaller series are needed`,
    `series ${series}`,
  );
}
