import { z } from 'zod';
import { RECOMMENDER_SPLITS } from '../datasetSelection.ts';
import type { BuiltInKind } from '../kind.ts';
import { leporidInitPresets } from '../presets/leporidInits.ts';
import { graphParameters, regularizationParameter } from '../parameters/graphParameters.ts';
import { trainedInitObject } from '../parameters/initParameters.ts';
import { refuseContradictions, trainedParameters } from '../parameters/trainedParameters.ts';

export const dgcfParameters = z
  .strictObject({
    ...graphParameters,
    factors: z
      .int()
      .min(1)
      .max(64)
      .default(4)
      .describe(
        'Blocks of the embeddings, each passed on over weights of its own; a divisor of dimension. Default 4. More tell more intents apart, with less room for each.',
      ),
    layers: z
      .int()
      .min(1)
      .max(8)
      .default(1)
      .describe(
        'How many steps away a node is heard. Default 1. More reaches further and takes proportionally longer.',
      ),
    iterations: z
      .int()
      .min(1)
      .max(8)
      .default(2)
      .describe(
        'Times that the weights of edges and what is heard over them settle in each layer. Default 2. More tell factors apart more sharply, in more time.',
      ),
    independence: z
      .number()
      .min(0)
      .max(100)
      .default(0.01)
      .describe('What the distance correlation of neighbouring factors counts. Default 0.01. More keeps them apart.'),
    independenceNodes: z
      .int()
      .min(2)
      .max(4096)
      .default(64)
      .describe(
        'Users, and items, that the distance correlation of a step is of. Default 64. More makes it steadier, in time that grows with the square.',
      ),
    regularization: regularizationParameter(0.001, 'embeddings'),
    ...trainedParameters({
      epochs: 200,
      batchSize: 2048,
      weightDecay: 0,
      beta2: 0.999,
      smooths: 'users-and-items',
    }),
    init: trainedInitObject.prefault({}).describe('What the embeddings start from.'),
  })
  .superRefine(refuseContradictions)
  .superRefine(({ dimension, factors }, context) => {
    if (dimension % factors === 0) return;
    const message = `expected a divisor of dimension, which is ${dimension}`;
    context.addIssue({ code: 'custom', path: ['factors'], message });
  });

export type DgcfParameters = z.output<typeof dgcfParameters>;

export const dgcfKind: BuiltInKind<'dgcf', typeof dgcfParameters> = {
  kind: 'dgcf',
  version: 1,
  title: 'DGCF',
  description:
    'Disentangled graph collaborative filtering: embeddings are blocks, one for each intent; every interaction shares itself out among them by what its ends agree on, and each block hears its neighbours by its own shares. Trained by BPR. A user is a node, so the validation item is not part of the test input.',
  source:
    'X. Wang, H. Jin, A. Zhang, X. He, T. Xu, T.-S. Chua. Disentangled graph collaborative filtering. SIGIR 2020; compared in LEPORID, Table 3.',
  parameters: dgcfParameters,
  data: 'sequences',
  splits: RECOMMENDER_SPLITS,
  presets: [
    ...leporidInitPresets('dgcf', { patience: 10 }),
    {
      name: 'demo/dgcf-generated',
      description: 'A generated graph of blocks: needs no download, and ends within a minute.',
      dataset: 'generated/blocks-200x80',
      parameters: { dimension: 16, epochs: 20, excludeSeen: true },
    },
  ],
  primaryMetric: 'test/ndcg@10',
};
