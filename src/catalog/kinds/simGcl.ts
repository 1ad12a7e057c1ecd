import { z } from 'zod';
import { RECOMMENDER_SPLITS } from '../datasetSelection.ts';
import type { BuiltInKind } from '../kind.ts';
import { graphParameters, regularizationParameter } from '../parameters/graphParameters.ts';
import { trainedInitObject } from '../parameters/initParameters.ts';
import { refuseContradictions, trainedParameters } from '../parameters/trainedParameters.ts';

export const simGclParameters = z
  .strictObject({
    ...graphParameters,
    layers: z
      .int()
      .min(1)
      .max(16)
      .default(2)
      .describe(
        'Products with the graph, K: how many steps away a node is heard. Default 2. More reaches further, makes neighbours more alike, and takes proportionally longer.',
      ),
    views: z
      .enum(['two-draws', 'across-layers'])
      .default('across-layers')
      .describe(
        'What is contrasted: two-draws: two passes with noise of their own beside a third without any, SimGCL; across-layers: the mean of the layers and one of them, of one pass with noise, XSimGCL. Default across-layers, which takes a third of the time.',
      ),
    contrastLayer: z
      .int()
      .min(1)
      .max(16)
      .default(1)
      .describe('The layer that is contrasted with the mean, at most layers. Default 1. Only with across-layers.'),
    noise: z
      .number()
      .min(0)
      .max(10)
      .default(0.2)
      .describe('ε, how far noise moves each row of a layer. Default 0.2. More makes the views less alike.'),
    temperature: z
      .number()
      .min(0.01)
      .max(10)
      .default(0.2)
      .describe('τ of the contrast. Default 0.2. Less tells near nodes apart more sharply.'),
    contrast: z
      .number()
      .min(0)
      .max(100)
      .default(0.2)
      .describe('λ, what the contrast counts beside BPR. Default 0.2. More spreads embeddings more evenly.'),
    regularization: regularizationParameter(0.0001, 'embeddings'),
    ...trainedParameters({
      epochs: 100,
      batchSize: 2048,
      weightDecay: 0,
      beta2: 0.999,
      smooths: 'users-and-items',
    }),
    init: trainedInitObject.prefault({}).describe('What the embeddings start from.'),
  })
  .superRefine(refuseContradictions)
  .superRefine(({ views, contrastLayer, layers }, context) => {
    if (views === 'two-draws' || contrastLayer <= layers) return;
    context.addIssue({
      code: 'custom',
      path: ['contrastLayer'],
      message: `there are ${layers} layers: at most ${layers} is expected`,
    });
  });

export type SimGclParameters = z.output<typeof simGclParameters>;

export const simGclKind: BuiltInKind<'simgcl', typeof simGclParameters> = {
  kind: 'simgcl',
  version: 1,
  title: 'SimGCL and XSimGCL',
  description:
    'LightGCN with contrastive learning: noise moves the rows of each layer a little, and the two views of each user and item of a batch are told from those of the others; no matrix of users by items is made. A user is a node, so the validation item is not part of the test input.',
  source:
    'J. Yu, H. Yin, X. Xia, T. Chen, L. Cui, Q. V. H. Nguyen. Are graph augmentations necessary? Simple graph contrastive learning for recommendation. SIGIR 2022; J. Yu, X. Xia, T. Chen, L. Cui, N. Q. V. Hung, H. Yin. XSimGCL: Towards extremely simple graph contrastive learning for recommendation. TKDE 2023.',
  parameters: simGclParameters,
  data: 'sequences',
  splits: RECOMMENDER_SPLITS,
  presets: [
    ...(
      [
        ['xsimgcl', 'XSimGCL', {}],
        ['simgcl', 'SimGCL', { views: 'two-draws', noise: 0.1, contrast: 0.5 }],
      ] as const
    ).flatMap(([name, title, parameters]) =>
      (
        [
          ['ml-100k', 'MovieLens 100K', 'ml-100k'],
          ['beauty', 'Amazon Beauty', 'amazon-beauty'],
        ] as const
      ).map(([suffix, words, dataset]) => ({
        name: `baselines/${name}-${suffix}`,
        description: `${title} on ${words}, seen items left out of the ranking, best validation tested.`,
        dataset,
        parameters: { ...parameters, excludeSeen: true, patience: 5 },
      })),
    ),
    {
      name: 'demo/xsimgcl-generated',
      description: 'Generated Markov sequences: needs no download, and ends within a minute.',
      dataset: 'generated/markov-medium',
      parameters: { dimension: 32, epochs: 20, optimizer: { learningRate: 0.01 } },
    },
  ],
  primaryMetric: 'test/ndcg@10',
};
