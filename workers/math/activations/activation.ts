import { type ClosedActivation, type DualActivation, dualActivations } from './dualActivation.ts';
import { activationFunctions, quadratureActivation } from './quadratureActivation.ts';

/** Activations of infinitely wide networks: the first three have closed expectations, the others go by quadrature. */
export type Activation = ClosedActivation | keyof typeof activationFunctions;

export const ACTIVATIONS: readonly Activation[] = ['relu', 'erf', 'linear', 'gelu', 'tanh', 'sigmoid'];

export function isClosedActivation(activation: Activation): activation is ClosedActivation {
  return Object.hasOwn(dualActivations, activation);
}

const made = new Map<Activation, DualActivation>();

/** V and V' of an activation (RNTK Eq. 10). */
export function dualActivationOf(activation: Activation): DualActivation {
  if (isClosedActivation(activation)) return dualActivations[activation];
  let dual = made.get(activation);
  if (dual === undefined) {
    dual = quadratureActivation(activationFunctions[activation]);
    made.set(activation, dual);
  }
  return dual;
}
