import { z } from 'zod';
import { RECOMMENDER_SPLITS } from '../datasetSelection.ts';
import type { BuiltInKind } from '../kind.ts';
import { sigmaParameter } from '../parameters/networkParameters.ts';
import {
  lossParameter,
  refuseContradictions,
  sequenceParameters,
  trainedParameters,
} from '../parameters/trainedParameters.ts';
import { cited } from '../published/papers.ts';

export const finiteRnnParameters = z
  .strictObject({
    ...sequenceParameters,
    dimension: sequenceParameters.dimension.describe(
      'Hidden units n, and length of the item embeddings. Default 64. The paper goes from 2 to 4096; time grows with the square.',
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
        'standard draws parameters at their scale, as usual; ntk draws them standard normal and scales by σ/√n in the forward pass (Eq. 7), so that wide networks tend to the kernel: init then only takes computed embeddings. Default standard.',
      ),
    sigmaW: sigmaParameter('the recurrent weights W', 1, 'Only with ntk.'),
    sigmaU: sigmaParameter('the input weights U', 1, 'Only with ntk.'),
    sigmaV: sigmaParameter('the read-out weights V', 1, 'Only with ntk.'),
    sigmaB: sigmaParameter('the biases b', 0, 'Only with ntk.'),
    loss: lossParameter('softmax'),
    ...trainedParameters({ epochs: 200, batchSize: 128, weightDecay: 0, beta2: 0.999 }),
  })
  .superRefine(refuseContradictions);

export type FiniteRnnParameters = z.output<typeof finiteRnnParameters>;

export const finiteRnnKind: BuiltInKind<'finite-rnn', typeof finiteRnnParameters> = {
  kind: 'finite-rnn',
  version: 2,
  title: 'Finite recurrent network (Elman)',
  description:
    'An Elman recommender of one width, trained with cross-entropy over all items: what the double ascent of OverRec is made of, one run a width (studies overrec/figure-1, figure-2 and figure-4).',
  source: cited('overrec', 'Sections I, IV-A and VI-C'),
  parameters: finiteRnnParameters,
  data: 'sequences',
  splits: RECOMMENDER_SPLITS,
  presets: [
    {
      name: 'overrec/finite-rnn-beauty',
      description: 'Amazon Beauty, 200 epochs (Figures 1 and 4); the width is `dimension`.',
      dataset: 'amazon-beauty',
      parameters: {},
    },
    {
      name: 'overrec/finite-rnn-small',
      description: 'Amazon Beauty, 12-core (1,080 users, 665 items), 200 epochs: minutes a width up to 512.',
      dataset: 'amazon-beauty',
      selection: { core: 12 },
      parameters: { batchSize: 32, optimizer: { learningRate: 0.002 }, evaluateEvery: 10 },
    },
    {
      name: 'demo/finite-rnn-generated',
      description: 'Generated Markov sequences: needs no download, and ends within a minute.',
      dataset: 'generated/markov-medium',
      parameters: { dimension: 32, epochs: 10, optimizer: { learningRate: 0.01 }, evaluateEvery: 1 },
    },
  ],
  primaryMetric: 'test/ndcg@10',
};
