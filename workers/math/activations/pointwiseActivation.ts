import type { Activation } from './activation.ts';
import { type ActivationFunction, activationFunctions, normalDistribution } from './quadratureActivation.ts';

const kinked: Readonly<Record<'relu' | 'erf' | 'linear', ActivationFunction>> = {
  relu: { value: (z) => Math.max(z, 0), slope: (z) => (z > 0 ? 1 : 0) },
  erf: {
    value: (z) => 2 * normalDistribution(z * Math.SQRT2) - 1,
    slope: (z) => (2 / Math.sqrt(Math.PI)) * Math.exp(-z * z),
  },
  linear: { value: (z) => z, slope: () => 1 },
};

/** An activation of finite networks with its derivative; ReLU's is 0 at 0. */
export function pointwiseActivation(activation: Activation): ActivationFunction {
  switch (activation) {
    case 'relu':
    case 'erf':
    case 'linear':
      return kinked[activation];
    default:
      return activationFunctions[activation];
  }
}
