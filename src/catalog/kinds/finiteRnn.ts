import { z } from 'zod';
import type { KindDefinition } from '../kind.ts';
import { sigmaParameter } from '../parameters/networkParameters.ts';
import {
  lossParameter,
  plainOptimizerParameters,
  sequenceParameters,
  trainedParameters,
} from '../parameters/trainedParameters.ts';

const { maximumLength, negatives } = sequenceParameters;
const DEFAULTS = { epochs: 200, batchSize: 128, weightDecay: 0, beta2: 0.999 };

const { init: _, select: __, ...trained } = trainedParameters(DEFAULTS);

export const finiteRnnParameters = z.strictObject({
  widths: z
    .array(z.int().min(1).max(16_384))
    .min(1)
    .max(50)
    .default([64])
    .describe(
      'Hidden units of the networks, which are trained one after the other. Default 64 alone. The paper goes from 2 to 4096; time grows with the square.',
    ),
  layers: z.int().min(1).max(16).default(1).describe('Recurrent layers. Default 1. More take proportionally longer.'),
  activation: z
    .enum(['relu', 'tanh', 'erf'])
    .default('relu')
    .describe('Activation of the recurrent layers. Default relu, that of the kernel.'),
  tiesEmbeddings: z
    .boolean()
    .default(true)
    .describe(
      'Whether items are scored by their input embeddings (tied) or by a matrix of their own (Figure 2). Default true.',
    ),
  parametrisation: z
    .enum(['standard', 'ntk'])
    .default('standard')
    .describe(
      'standard draws parameters at their scale, as usual; ntk draws them standard normal and scales by σ/√n in the forward pass (Eq. 7), so that wide networks tend to the kernel. Default standard.',
    ),
  sigmaW: sigmaParameter('the recurrent weights W', 1, 'Only with ntk.'),
  sigmaU: sigmaParameter('the input weights U', 1, 'Only with ntk.'),
  sigmaV: sigmaParameter('the read-out weights V', 1, 'Only with ntk.'),
  sigmaB: sigmaParameter('the biases b', 0, 'Only with ntk.'),
  comparesKernel: z
    .boolean()
    .default(true)
    .describe(
      'Whether OverRec is evaluated on the same data as the limit of infinite width (metrics overrec/…). Only with relu. Default true; it takes seconds to a minute.',
    ),
  maximumLength,
  loss: lossParameter('softmax'),
  negatives,
  ...trained,
  optimizer: plainOptimizerParameters(DEFAULTS).prefault({}).describe('How parameters follow their gradients.'),
  evaluateEvery: z
    .int()
    .min(1)
    .max(100_000)
    .default(5)
    .describe(
      'Epochs between validations, each of which ranks for the test items, too. Default 5; 1 draws every epoch, as the paper. More saves time and gives coarser curves.',
    ),
});

/** What Figure 1 spans; the paper names 2, 4, 3000 and 4096. */
const PAPER_WIDTHS = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3000, 4096];

export type FiniteRnnParameters = z.output<typeof finiteRnnParameters>;

export const finiteRnnKind: KindDefinition<typeof finiteRnnParameters> = {
  kind: 'finite-rnn',
  version: 1,
  title: 'Finite recurrent networks by width',
  description:
    'Elman recommenders of growing width, trained with cross-entropy over all items: the double ascent of test metrics (Figures 1, 2 and 4). Per-epoch curves of width n are called w<n>/train/loss, w<n>/valid/ndcg@10 and w<n>/test/ndcg@10; best/… and last/… stand at the width as their step: the test metrics at the epoch of the best validation and at the last.',
  source:
    'R. Qiu, Z. Huang, H. Yin. Beyond Double Ascent via Recurrent Neural Tangent Kernel in Sequential Recommendation. ICDM 2022, Sections I, IV-A and VI-C.',
  parameters: finiteRnnParameters,
  data: 'sequences',
  presets: [
    {
      name: 'overrec/double-ascent-beauty',
      description: 'Amazon Beauty, widths 2 to 4096, 200 epochs (Figures 1 and 4): for a GPU.',
      dataset: 'amazon-beauty',
      parameters: { widths: PAPER_WIDTHS, evaluateEvery: 1, requires: 'gpu' },
    },
    {
      name: 'overrec/double-ascent-beauty-untied',
      description: 'The same with a read-out of its own (Figure 2): for a GPU.',
      dataset: 'amazon-beauty',
      parameters: {
        widths: PAPER_WIDTHS,
        tiesEmbeddings: false,
        evaluateEvery: 1,
        requires: 'gpu',
      },
    },
    {
      name: 'overrec/double-ascent-small',
      description:
        'Amazon Beauty, 8-core (1,766 users, 803 items), widths 2 to 256, 60 epochs, for a processor: the first ascent and the descent. The training loss is still far from 0 at the end, so there is no second ascent yet.',
      dataset: 'amazon-beauty',
      selection: { core: 8 },
      parameters: {
        widths: [2, 4, 8, 16, 32, 64, 128, 256],
        epochs: 60,
        batchSize: 32,
        optimizer: { learningRate: 0.003 },
        evaluateEvery: 3,
      },
    },
    {
      name: 'overrec/double-ascent-long',
      description:
        'Amazon Beauty, 12-core (1,080 users, 665 items), widths 2 to 512, 200 epochs, some 15 minutes on a processor: wide networks come near to interpolating, and the descent ends between 128 and 256.',
      dataset: 'amazon-beauty',
      selection: { core: 12 },
      parameters: {
        widths: [2, 4, 8, 16, 32, 64, 128, 256, 512],
        epochs: 200,
        batchSize: 32,
        optimizer: { learningRate: 0.002 },
        evaluateEvery: 10,
      },
    },
    {
      name: 'demo/finite-rnn-generated',
      description: 'Generated Markov sequences: needs no download, and ends within a minute.',
      dataset: 'generated/markov-medium',
      parameters: { widths: [2, 8, 32], epochs: 10, optimizer: { learningRate: 0.01 }, evaluateEvery: 1 },
    },
  ],
  primaryMetric: 'best/ndcg@10',
};
