import { z } from 'zod';
import { RECOMMENDER_SPLITS } from '../datasetSelection.ts';
import type { BuiltInKind } from '../kind.ts';
import { checkpointEvery } from '../parameters/checkpointEvery.ts';
import { graphParameters } from '../parameters/graphParameters.ts';
import { trainedInitObject } from '../parameters/initParameters.ts';
import { rankingParameters } from '../parameters/rankingParameters.ts';

export const ialsParameters = z
  .strictObject({
    ...graphParameters,
    epochs: z
      .int()
      .min(1)
      .max(10_000)
      .default(16)
      .describe('Times that all users and then all items are solved. Default 16. More comes closer to the best fit.'),
    unobservedWeight: z
      .number()
      .positive()
      .max(1e6)
      .default(0.1)
      .describe(
        'α₀, what a pair of a user and an item counts that never met, where a pair that met counts 1 more. Default 0.1. More pulls all scores to 0.',
      ),
    regularization: z
      .number()
      .positive()
      .max(1e9)
      .default(0.003)
      .describe(
        'λ, penalty on the squared norms of the embeddings, times the power of frequencyExponent. Default 0.003, the value of the paper for MovieLens 20M. More keeps embeddings smaller.',
      ),
    frequencyExponent: z
      .number()
      .min(0)
      .max(2)
      .default(1)
      .describe(
        'ν: the penalty of a user grows with this power of the items that it met and α₀ times all items, and that of an item likewise. Default 1. 0 penalizes all alike.',
      ),
    init: trainedInitObject
      .prefault({ method: 'normal' })
      .describe('What the embeddings start from; only items count.'),
    evaluateEvery: z
      .int()
      .min(0)
      .max(100_000)
      .default(1)
      .describe('Epochs between validations (valid/ndcg@10, valid/hr@10); 0 for none. Default 1. More saves time.'),
    patience: z
      .int()
      .min(0)
      .max(10_000)
      .default(0)
      .describe(
        'Stop after this many validations without a better valid/ndcg@10, and test the best; 0 trains all epochs and tests the last. Default 0. More waits longer.',
      ),
    checkpointEvery,
    ...rankingParameters,
  })
  .superRefine(({ evaluateEvery, patience }, context) => {
    if (evaluateEvery > 0 || patience === 0) return;
    context.addIssue({ code: 'custom', path: ['patience'], message: 'evaluateEvery 0 validates never: 0 is expected' });
  });

export type IalsParameters = z.output<typeof ialsParameters>;

export const ialsKind: BuiltInKind<'ials', typeof ialsParameters> = {
  kind: 'ials',
  version: 1,
  title: 'iALS',
  description:
    'Matrix factorization by implicit alternating least squares: every pair that never met counts a little, and each row of users, then of items, is solved exactly in double precision, without sampling or step sizes. Whoever is ranked for is solved from its history.',
  source:
    'Y. Hu, Y. Koren, C. Volinsky. Collaborative filtering for implicit feedback datasets. ICDM 2008; S. Rendle, W. Krichene, L. Zhang, Y. Koren. Revisiting the performance of iALS on item recommendation benchmarks. RecSys 2022.',
  parameters: ialsParameters,
  data: 'sequences',
  splits: RECOMMENDER_SPLITS,
  presets: [
    {
      name: 'baselines/ials-ml-100k',
      description: 'MovieLens 100K, seen items left out of the ranking; weights chosen by validation.',
      dataset: 'ml-100k',
      parameters: { unobservedWeight: 0.3, regularization: 0.01, excludeSeen: true },
    },
    {
      name: 'baselines/ials-ml-1m',
      description: 'MovieLens 1M, seen items left out of the ranking.',
      dataset: 'ml-1m',
      parameters: { excludeSeen: true },
    },
    {
      name: 'baselines/ials-beauty',
      description: 'Amazon Beauty, seen items left out of the ranking.',
      dataset: 'amazon-beauty',
      parameters: { excludeSeen: true },
    },
    {
      name: 'demo/ials-generated',
      description: 'Generated Markov sequences: needs no download.',
      dataset: 'generated/markov-medium',
      parameters: { dimension: 16 },
    },
  ],
  primaryMetric: 'test/ndcg@10',
};
