import { isClosedActivation } from '#workers/math/activations/activation.ts';
import type { ClosedActivation } from '#workers/math/activations/dualActivation.ts';
import type { RecurrentKernelParameters } from './recurrentKernelParameters.ts';

/** A recurrent network whose expectations have a closed form: what the compiled kernels compute. */
export type ClosedNetwork = RecurrentKernelParameters & { activation: ClosedActivation };

export function hasClosedActivation(network: RecurrentKernelParameters): network is ClosedNetwork {
  return isClosedActivation(network.activation);
}
