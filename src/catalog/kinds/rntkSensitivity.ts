import { z } from 'zod';
import type { BuiltInKind } from '../kind.ts';
import { layersParameter, sigmaParameter } from '../parameters/networkParameters.ts';
import { cited } from '../published/papers.ts';

const varied = (what: string, initial: number[]) =>
  z
    .array(z.number().min(0).max(100))
    .max(10)
    .default(initial)
    .describe(
      `Values of ${what} that one panel compares, the other sigmas at their own values; none leaves the panel out. Default ${initial.join(', ')}.`,
    );

export const rntkSensitivityParameters = z.strictObject({
  activation: z
    .enum(['relu', 'erf', 'linear'])
    .default('relu')
    .describe('Activation of the network, with a closed kernel. Default relu.'),
  kernel: z
    .enum(['rntk', 'nngp'])
    .default('rntk')
    .describe('Whose sensitivity: rntk, the tangent kernel, or nngp, the kernel at initialisation. Default rntk.'),
  layers: layersParameter,
  sigmaW: sigmaParameter('the recurrent weights W', Math.SQRT2, 'The paper: √2 for ReLU, 1 for erf.'),
  sigmaU: sigmaParameter('the input weights U', 1, 'The paper: 1 for ReLU, 0.01 for erf.'),
  sigmaB: sigmaParameter('the biases b', 0, 'The paper: 0 for ReLU, 0.05 for erf.'),
  sigmaH: sigmaParameter('the initial hidden state', 0, 'The paper: 0.'),
  sigmaV: sigmaParameter('the read-out weights V', 1, 'Scales every sensitivity alike.'),
  sigmaWValues: varied('sigmaW', [1.3, 1.38, Math.SQRT2, 1.45, 1.5]),
  sigmaUValues: varied('sigmaU', [0.1, 0.5, 1, 2]),
  sigmaBValues: varied('sigmaB', [0, 0.1, 0.5, 1]),
  sigmaHValues: varied('sigmaH', [0, 0.5, 1, 2]),
  length: z
    .int()
    .min(1)
    .max(10_000)
    .default(100)
    .describe('Time steps T of both sequences. Default 100, as in Figure 3.'),
  repetitions: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(1000)
    .describe('Pairs of standard normal sequences that are averaged. Default 1000; the paper takes 10,000.'),
});

export type RntkSensitivityParameters = z.output<typeof rntkSensitivityParameters>;

/** Figure 3's base point for erf, and values around it. */
const ERF = {
  activation: 'erf',
  sigmaW: 1,
  sigmaU: 0.01,
  sigmaB: 0.05,
  sigmaWValues: [0.9, 0.97, 1, 1.03, 1.1],
  sigmaUValues: [0.001, 0.01, 0.1, 1],
  sigmaBValues: [0, 0.05, 0.2, 0.5],
  sigmaHValues: [0, 0.1, 0.5, 1],
};

export const rntkSensitivityKind: BuiltInKind<'rntk-sensitivity', typeof rntkSensitivityParameters> = {
  kind: 'rntk-sensitivity',
  version: 1,
  title: 'Sensitivity of the RNTK to each time step',
  description:
    's(t) = ‖∂Θ(x, x′)/∂x_t‖ of random sequences over time, by exact differentiation of the kernel, normalised by its greatest value and averaged; one panel for each sigma that is varied (Figure 3). A flat curve treats all time steps alike. Metrics stand at the time step as their step.',
  source: cited('rntk', 'Section 3.4, Figure 3'),
  parameters: rntkSensitivityParameters,
  data: 'none',
  presets: [
    {
      name: 'rntk/figure-3-relu',
      description:
        "Figure 3, upper row: ReLU around the paper's {√2, 1, 0, 0}; the values varied are ours, the paper's legend is not in its text.",
      dataset: null,
      parameters: { repetitions: 10_000 },
    },
    {
      name: 'rntk/figure-3-erf',
      description:
        "Figure 3, lower row: erf around the paper's {1, 0.01, 0.05, 0}; the values varied are ours, the paper's legend is not in its text.",
      dataset: null,
      parameters: { ...ERF, repetitions: 10_000 },
    },
    {
      name: 'demo/rntk-sensitivity-small',
      description: 'A second.',
      dataset: null,
      parameters: { repetitions: 50, length: 30 },
    },
  ],
  primaryMetric: 'flatness',
};
