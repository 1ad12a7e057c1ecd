import { z } from 'zod';
import { RECOMMENDER_SPLITS } from '../datasetSelection.ts';
import type { BuiltInKind } from '../kind.ts';
import { SEVO_DATASETS, SEVO_PROTOCOL } from '../presets/sevoPresets.ts';
import {
  dropoutParameter,
  lossParameter,
  refuseContradictions,
  sequenceParameters,
  trainedParameters,
} from '../parameters/trainedParameters.ts';

export const lessrParameters = z
  .strictObject({
    ...sequenceParameters,
    layers: z
      .int()
      .min(1)
      .max(8)
      .default(3)
      .describe(
        'Layers: the first, third and so on read what leads to each item in order, those between attend over shortcuts. Default 3. Each is wider than those before it, so that time grows with the cube.',
      ),
    dropout: dropoutParameter(0.2, 'what enters each layer'),
    batchNorm: z
      .boolean()
      .default(true)
      .describe(
        'Normalise the columns of what enters each layer: in training over the batch, in ranking over a fixed sample of 2048 training prefixes. Default true.',
      ),
    maximumNorm: z
      .number()
      .positive()
      .max(1000)
      .default(1)
      .describe('Longer item embeddings are scaled down to this norm. Default 1. Less keeps scores closer together.'),
    loss: lossParameter('softmax'),
    samples: z
      .enum(['prefixes', 'positions'])
      .default('prefixes')
      .describe(
        'What a batch is made of: prefixes of all users mixed, as the authors have it; or users, with all of their prefixes. Default prefixes. Either way each prefix is a graph.',
      ),
    ...trainedParameters({ epochs: 30, batchSize: 512, weightDecay: 0.0001, beta2: 0.999 }),
  })
  .superRefine(refuseContradictions);

export type LessrParameters = z.output<typeof lessrParameters>;

/** Embeddings of norm about 1, where those of the authors are cut at once. */
const unitStart = (dimension: number) => ({ method: 'normal', deviation: 1 / Math.sqrt(dimension) });

/** https://github.com/MTandHJ/RecBoard, LESSR/configs/Amazon2014Beauty_550_LOU.yaml: no bound on norms. */
const LATER_BENCHMARK = { dropout: 0.7, maximumNorm: 1000, optimizer: { weightDecay: 0.000001 } };

export const lessrKind: BuiltInKind<'lessr', typeof lessrParameters> = {
  kind: 'lessr',
  version: 1,
  title: 'LESSR',
  description:
    'Each prefix of a user’s items is two graphs: a gated recurrent unit reads what leads to each item in the order of time, and attention over shortcuts lets each item hear all that came before it; attention led by the last item sums them up. Items are ranked by the products of that state with their embeddings. The graphs of a batch are computed as one, without pads, and attention keeps nothing but its weights.',
  source:
    'T. Chen, R. C.-W. Wong. Handling information loss of graph neural networks for session-based recommendation. KDD 2020; compared in SEvo, Table 3.',
  parameters: lessrParameters,
  data: 'sequences',
  splits: RECOMMENDER_SPLITS,
  presets: [
    ...SEVO_DATASETS.map(({ name, title, dataset, selection }) => ({
      name: `sevo/lessr-${name}`,
      description:
        name === 'ml-1m'
          ? `${title}, Table 3: LESSR’s own hyper-parameters, but 64 dimensions and batches of 128; seen items left out, best validation tested. The authors of SEvo print none.`
          : `${title}, Table 3: the settings for Beauty of a later benchmark by SEvo’s authors, who print none beside the table; seen items left out, best validation tested.`,
      dataset,
      ...(selection === undefined ? {} : { selection }),
      parameters: {
        ...SEVO_PROTOCOL,
        epochs: 100,
        patience: 4,
        ...(name === 'ml-1m' ? { maximumLength: 200, batchSize: 128, init: unitStart(64) } : LATER_BENCHMARK),
      },
    })),
    {
      name: 'baselines/lessr-ml-100k',
      description:
        'MovieLens 100K, the authors’ 32 dimensions, seen items left out of the ranking, best validation tested.',
      dataset: 'ml-100k',
      parameters: { excludeSeen: true, dimension: 32, init: unitStart(32), evaluateEvery: 2, patience: 3 },
    },
    {
      name: 'demo/lessr-generated',
      description: 'Generated Markov sequences: needs no download, and ends within a minute.',
      dataset: 'generated/markov-medium',
      parameters: {
        dimension: 16,
        epochs: 4,
        batchSize: 256,
        evaluateEvery: 1,
        optimizer: { learningRate: 0.005 },
      },
    },
  ],
  primaryMetric: 'test/ndcg@10',
};
