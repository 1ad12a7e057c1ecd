import { z } from 'zod';

const sigma = (what: string, initial: number, note: string) =>
  z
    .number()
    .min(0)
    .max(10)
    .default(initial)
    .describe(`Standard deviation of ${what}, 0 to 10. Default ${initial}. ${note}`);

/** The infinitely wide recurrent network whose kernel compares sequences of items: OverRec, Eq. 5 to 7. */
export const sequenceKernelParameters = {
  layers: z
    .int()
    .min(1)
    .max(10)
    .default(1)
    .describe('Recurrent layers L, 1 to 10. Default 1. More look further back, and take proportionally longer.'),
  activation: z
    .enum(['relu', 'erf', 'linear'])
    .default('relu')
    .describe(
      'Activation of the network: relu, as in the paper, erf or linear, whose kernels are closed, so that the sparse method stays exact. Default relu. With erf the sigmas are no mere scales.',
    ),
  sigmaW: sigma(
    'the recurrent weights W',
    1,
    'Raising it gives older items more weight; above √2 variances grow with the length.',
  ),
  sigmaU: sigma(
    'the input weights U',
    1,
    'With ReLU and sigmaB = sigmaH = 0 it scales the exact kernel and changes no ranking.',
  ),
  sigmaV: sigma('the read-out weights V', 1, 'Scales the exact kernel and changes no ranking.'),
  sigmaB: sigma(
    'the biases b',
    0,
    "The paper's zero padding needs 0; the exact kernel here takes any. Raising it makes all pairs more alike.",
  ),
  sigmaH: sigma('the initial hidden state', 0, 'The paper sets 0. Raising it makes short sequences less alike.'),
};

/** Which computation of the kernel. */
export const kernelVariant = z
  .enum(['exact', 'author'])
  .default('exact')
  .describe(
    "exact is the corrected kernel in double precision; author is the published code's un-normalised single precision recursion (ReLU, one layer, sigmaH 0), in which many kernel values tie. Default exact.",
  );

/** What neighbours with one target do. */
export const duplicateTargets = z
  .enum(['sum', 'assign'])
  .default('sum')
  .describe(
    "Neighbours with one target: sum adds their kernel values (Eq. 16 as printed); assign counts the most similar one, as the authors' code and Table II do. Default sum.",
  );

/** The length to which sequences are cut before their kernel. */
export const kernelMaximumLength = z
  .int()
  .min(1)
  .max(500)
  .default(50)
  .describe(
    'Sequences are cut to their last items, this many, 1 to 500. Default 50. More remembers longer, in more time and memory.',
  );

/** Refuses networks that the authors' code has not. */
export function checkKernelVariant(
  parameters: { variant: 'exact' | 'author'; activation: string; layers: number; sigmaH: number },
  refuse: (path: string, message: string) => void,
): void {
  if (parameters.variant === 'exact') return;
  if (parameters.activation !== 'relu') refuse('activation', 'variant author has relu only');
  if (parameters.layers !== 1) refuse('layers', 'variant author has one layer');
  if (parameters.sigmaH !== 0) refuse('sigmaH', 'variant author has no sigmaH: 0 is expected');
}
