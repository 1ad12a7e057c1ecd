import { z } from 'zod';

/** A standard deviation of weights, at least 0. */
export function sigmaParameter(what: string, initial: number, note = '') {
  return z
    .number()
    .min(0)
    .max(100)
    .default(initial)
    .describe(`Standard deviation of ${what}, 0 to 100. Default ${initial}.${note === '' ? '' : ` ${note}`}`);
}

/** The activations that infinitely wide networks may have. */
export const activationParameter = z
  .enum(['relu', 'erf', 'linear', 'gelu', 'tanh', 'sigmoid'])
  .default('relu')
  .describe(
    'Activation of the network: relu, erf and linear have closed kernels, the others go by Gauss-Hermite quadrature, slower. Default relu.',
  );

export const layersParameter = z
  .int()
  .min(1)
  .max(10)
  .default(1)
  .describe('Recurrent layers L, 1 to 10. Default 1. More make the kernel deeper, and take proportionally longer.');
