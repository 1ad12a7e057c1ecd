import { z } from 'zod';
import { RECOMMENDER_SPLITS } from '../datasetSelection.ts';
import type { BuiltInKind } from '../kind.ts';
import { SEVO_DATASETS, SEVO_PROTOCOL } from '../presets/sevoPresets.ts';
import {
  lossParameter,
  refuseContradictions,
  sequenceParameters,
  trainedParameters,
} from '../parameters/trainedParameters.ts';

export const srGnnParameters = z
  .strictObject({
    ...sequenceParameters,
    steps: z
      .int()
      .min(0)
      .max(8)
      .default(1)
      .describe(
        'Times that the items of a sequence hear those before and after them. Default 1. More reach further, in more time; 0 leaves attention alone.',
      ),
    loss: lossParameter('softmax'),
    samples: z
      .enum(['prefixes', 'positions'])
      .default('prefixes')
      .describe(
        'What a batch is made of: prefixes of all users mixed, as the authors have it; or users, with all of their prefixes. Default prefixes. Either way each prefix is a graph.',
      ),
    ...trainedParameters({ epochs: 30, batchSize: 100, weightDecay: 0.00001, beta2: 0.999 }),
  })
  .superRefine(refuseContradictions);

export type SrGnnParameters = z.output<typeof srGnnParameters>;

/** Adam with L2, and a start of the scale that the authors draw from, 1 / √(3 d). */
const AUTHORS = {
  optimizer: { method: 'adam', weightDecay: 0.00001 },
  init: { method: 'uniform', deviation: 0.0722 },
};

export const srGnnKind: BuiltInKind<'sr-gnn', typeof srGnnParameters> = {
  kind: 'sr-gnn',
  version: 1,
  title: 'SR-GNN',
  description:
    'Each prefix of a user’s items is a graph with an edge from each item to the next; gated units mix the items with their neighbours in it, and attention led by the last item sums them up. Items are ranked by the products of that state with their embeddings. The graphs of a batch are computed as one, without pads.',
  source:
    'S. Wu, Y. Tang, Y. Zhu, L. Wang, X. Xie, T. Tan. Session-based recommendation with graph neural networks. AAAI 2019; compared in SEvo, Table 3.',
  parameters: srGnnParameters,
  data: 'sequences',
  splits: RECOMMENDER_SPLITS,
  presets: [
    ...SEVO_DATASETS.map(({ name, title, dataset, selection }) => ({
      name: `sevo/sr-gnn-${name}`,
      description: `${title}, Table 3: SR-GNN’s own hyper-parameters, but batches of 512; seen items left out, best validation tested. The authors of SEvo print none.`,
      dataset,
      ...(selection === undefined ? {} : { selection }),
      parameters: {
        ...SEVO_PROTOCOL,
        ...AUTHORS,
        batchSize: 512,
        epochs: 100,
        patience: 4,
        maximumLength: name === 'ml-1m' ? 200 : 50,
      },
    })),
    {
      name: 'baselines/sr-gnn-ml-100k',
      description: 'MovieLens 100K, seen items left out of the ranking, best validation tested.',
      dataset: 'ml-100k',
      parameters: { excludeSeen: true, ...AUTHORS, batchSize: 512, patience: 4 },
    },
    {
      name: 'demo/sr-gnn-generated',
      description: 'Generated Markov sequences: needs no download, and ends within a minute.',
      dataset: 'generated/markov-medium',
      parameters: {
        dimension: 32,
        epochs: 5,
        batchSize: 256,
        evaluateEvery: 1,
        optimizer: { learningRate: 0.005 },
      },
    },
  ],
  primaryMetric: 'test/ndcg@10',
};
