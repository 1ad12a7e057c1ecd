import { z } from 'zod';
import type { BuiltInKind } from '../kind.ts';
import { activationParameter, layersParameter, sigmaParameter } from '../parameters/networkParameters.ts';
import { cited } from '../published/papers.ts';

const widths = (initial: number[], what: string) =>
  z
    .array(z.int().min(1).max(16_384))
    .min(2)
    .max(30)
    .default(initial)
    .describe(`${what} Default ${initial.join(', ')}. Time and memory grow with the square of a width.`);

export const rntkConvergenceParameters = z.strictObject({
  activation: activationParameter,
  layers: layersParameter,
  sigmaW: sigmaParameter('the recurrent weights W', 1, 'The paper does not print the sigmas of its Figure 2.'),
  sigmaU: sigmaParameter('the input weights U', 1),
  sigmaV: sigmaParameter('the read-out weights V', 1),
  sigmaB: sigmaParameter('the biases b', 0.1),
  sigmaH: sigmaParameter('the initial hidden state', 0),
  widths: widths(
    [16, 32, 64, 128, 256, 512, 1024],
    'Hidden units n of the networks whose kernels are compared with the limit.',
  ),
  networks: z
    .int()
    .min(1)
    .max(1000)
    .default(10)
    .describe('Networks drawn for each width. Default 10. More give smoother curves in proportionally more time.'),
  signals: z
    .int()
    .min(2)
    .max(1000)
    .default(50)
    .describe('Standard normal signals between which kernels are compared. Default 50, as in Figure 2.'),
  length: z
    .int()
    .min(1)
    .max(200)
    .default(5)
    .describe('Time steps T of each signal. Default 5, as in Figure 2. Longer ones converge later.'),
  pairWidth: z
    .int()
    .min(1)
    .max(16_384)
    .default(1000)
    .describe('Hidden units of the network of the left half of Figure 2. Default 1000, as there.'),
  trainingWidths: widths(
    [16, 32, 64, 128, 256, 512],
    'Hidden units n of the networks that are trained, for Theorem 2.',
  ),
  trainingNetworks: z
    .int()
    .min(1)
    .max(1000)
    .default(5)
    .describe('Networks trained for each width. Default 5. More give smoother curves.'),
  trainingSignals: z
    .int()
    .min(2)
    .max(200)
    .default(5)
    .describe('Training signals, with standard normal targets. Default 5. More take longer to be learned.'),
  trainingSteps: z
    .int()
    .min(1)
    .max(100_000)
    .default(200)
    .describe('Steps of gradient descent, each with half the largest stable rate. Default 200.'),
});

export type RntkConvergenceParameters = z.output<typeof rntkConvergenceParameters>;

export const rntkConvergenceKind: BuiltInKind<'rntk-convergence', typeof rntkConvergenceParameters> = {
  kind: 'rntk-convergence',
  version: 1,
  title: 'Convergence of finite networks to the RNTK',
  description:
    'Empirical tangent kernels of finite recurrent networks against their limit as the width grows, with weights shared by all time steps and not (Figure 2), and how far the kernel drifts in training (Theorem 2: as 1/√n). The slopes of the log-log errors should be near -1/2. Metrics stand at the width as their step.',
  source: cited('rntk', 'Sections 3.1 to 3.3, Figure 2'),
  parameters: rntkConvergenceParameters,
  data: 'none',
  presets: [
    { name: 'rntk/figure-2', description: 'Figure 2 and Theorem 2, ReLU.', dataset: null, parameters: {} },
    {
      name: 'rntk/figure-2-erf',
      description: 'The same with the error function.',
      dataset: null,
      parameters: { activation: 'erf' },
    },
    {
      name: 'rntk/figure-2-wide',
      description: 'Figure 2 to a width of 4096 and two layers: minutes, and gigabytes for untied weights.',
      dataset: null,
      parameters: { layers: 2, widths: [64, 128, 256, 512, 1024, 2048, 4096], networks: 5 },
    },
    {
      name: 'demo/rntk-convergence-small',
      description: 'A few seconds.',
      dataset: null,
      parameters: {
        widths: [16, 32, 64, 128],
        networks: 20,
        signals: 10,
        pairWidth: 200,
        trainingWidths: [16, 32, 64, 128],
        trainingNetworks: 3,
        trainingSteps: 50,
      },
    },
  ],
  primaryMetric: 'tied/error',
};
