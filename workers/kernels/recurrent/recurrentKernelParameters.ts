import { isClosedActivation } from '#workers/math/activations/activation.ts';
import type { ClosedActivation } from '#workers/math/activations/dualActivation.ts';
import type { Activation } from '#workers/math/activations/activation.ts';

/** One value for all layers, or one for each, the lowest first. */
export type PerLayer = number | readonly number[];

/** An infinitely wide recurrent network at initialisation (RNTK Eq. 3, OverRec Eq. 7). All sigmas are standard deviations. */
export interface RecurrentKernelParameters {
  activation: Activation;
  /** Recurrent layers L, at least 1. */
  layers: number;
  /** Of the recurrent weights W. */
  sigmaW: PerLayer;
  /** Of the input weights U. */
  sigmaU: PerLayer;
  /** Of the read-out weights V. */
  sigmaV: number;
  /** Of the biases b. */
  sigmaB: PerLayer;
  /** Of the initial hidden state h(0). */
  sigmaH: PerLayer;
}

/** A pair's value under the network's Gaussian process (`nngp`, K) and its tangent kernel (`theta`). */
export interface RecurrentKernelValue {
  theta: number;
  nngp: number;
}

/** A recurrent network whose expectations have a closed form: what the compiled kernels compute. */
export type ClosedNetwork = RecurrentKernelParameters & { activation: ClosedActivation };

export function hasClosedActivation(network: RecurrentKernelParameters): network is ClosedNetwork {
  return isClosedActivation(network.activation);
}
