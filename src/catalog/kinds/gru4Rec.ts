import { z } from 'zod';
import { RECOMMENDER_SPLITS } from '../datasetSelection.ts';
import type { BuiltInKind } from '../kind.ts';
import { overrecTablePresets } from '../presets/overrecTablePresets.ts';
import { type Backbone, SEVO_DATASETS, sevoPreset, sevoTablePresets, UNCORRECTED } from '../presets/sevoPresets.ts';
import {
  dropoutParameter,
  lossParameter,
  refuseContradictions,
  sequenceParameters,
  trainedParameters,
} from '../parameters/trainedParameters.ts';
import { cited } from '../published/papers.ts';

export const gru4RecParameters = z
  .strictObject({
    ...sequenceParameters,
    hiddenSize: z
      .int()
      .min(1)
      .max(4096)
      .default(64)
      .describe('Width of the recurrent layers. Default 64. More can remember more and takes more time and memory.'),
    layers: z.int().min(1).max(16).default(1).describe('Recurrent layers. Default 1. More take proportionally longer.'),
    dropout: dropoutParameter(0.25, 'the embeddings'),
    loss: lossParameter('bpr'),
    samples: z
      .enum(['prefixes', 'positions'])
      .default('prefixes')
      .describe(
        'What a batch is made of: prefixes, of which each predicts the next item (SEvo’s authors: more steps, and each item is computed often), or users, who predict after each of their items. Default prefixes.',
      ),
    ...trainedParameters({ epochs: 300, batchSize: 512, weightDecay: 0.1, beta2: 0.999 }),
  })
  .superRefine(refuseContradictions);

export type Gru4RecParameters = z.output<typeof gru4RecParameters>;

const SEVO: Backbone = {
  kind: 'gru4rec',
  protocol: '300 epochs, every prefix a sample',
  parameters: {
    beauty: { dropout: 0.4 },
    toys: { dropout: 0.4 },
    tools: { dropout: 0.5, optimizer: { learningRate: 0.005 } },
    'ml-1m': { dropout: 0.3, maximumLength: 200, optimizer: { weightDecay: 0.01 } },
  },
};

/** The settings file of OverRec's authors names cross-entropy (over all items); here after every item, with early stopping. */
const CROSS_ENTROPY = { loss: 'softmax', samples: 'positions', epochs: 100, patience: 5 };

export const gru4RecKind: BuiltInKind<'gru4rec', typeof gru4RecParameters> = {
  kind: 'gru4rec',
  version: 1,
  title: 'GRU4Rec',
  description:
    'Recurrent sequential recommendation: gated recurrent layers turn each prefix of a user’s items into a state, and items are ranked by its products with their embeddings. Without biases, as in the code of SEvo’s authors; sequences are packed, so short ones cost little.',
  source: `B. Hidasi, A. Karatzoglou, L. Baltrunas, D. Tikk. Session-based recommendations with recurrent neural networks. ICLR 2016. ${cited('sevo', 'Section 5, and its code')}`,
  parameters: gru4RecParameters,
  data: 'sequences',
  splits: RECOMMENDER_SPLITS,
  presets: [
    ...sevoTablePresets(SEVO),
    ...SEVO_DATASETS.map((of) => sevoPreset(SEVO, of, UNCORRECTED)),
    {
      name: 'overrec/gru4rec-beauty',
      description:
        'Amazon Beauty in OverRec’s protocol (Table II): all items ranked; cross-entropy over all items after every item.',
      dataset: 'amazon-beauty',
      parameters: { dropout: 0.4, loss: 'softmax', samples: 'positions', epochs: 100, patience: 5 },
    },
    ...overrecTablePresets('gru4rec', {
      beauty: { ...CROSS_ENTROPY, dropout: 0.4 },
      'ml-1m': { ...CROSS_ENTROPY, dropout: 0.3 },
    }),
    {
      name: 'demo/gru4rec-generated',
      description:
        'Generated Markov sequences, cross-entropy over all items: needs no download, and ends within a minute.',
      dataset: 'generated/markov-medium',
      parameters: {
        dimension: 32,
        hiddenSize: 32,
        epochs: 20,
        batchSize: 128,
        samples: 'positions',
        loss: 'softmax',
        optimizer: { learningRate: 0.005 },
        checkpointEvery: 5,
      },
    },
  ],
  primaryMetric: 'test/ndcg@10',
};
