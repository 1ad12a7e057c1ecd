import { z } from 'zod';
import { RECOMMENDER_SPLITS } from '../datasetSelection.ts';
import type { BuiltInKind } from '../kind.ts';
import { leporidPresets } from '../presets/leporidPresets.ts';
import { onEveryDataset, overrecTablePresets } from '../presets/overrecTablePresets.ts';
import { rankingParameters } from '../parameters/rankingParameters.ts';
import { laterSimilarityParameter } from '../parameters/similarityParameters.ts';

export const itemKnnParameters = z.strictObject({
  neighbours: z
    .int()
    .min(1)
    .max(100_000)
    .default(100)
    .describe(
      'Most similar items kept for each item. Default 100. More brings more candidates, weaker ones too, and more memory.',
    ),
  shrinkage: z
    .number()
    .min(0)
    .max(1e6)
    .default(10)
    .describe(
      'Added to the denominator of the cosine, in users: the similarity of pairs that few users share shrinks. Default 10; 0 is the plain cosine; more trusts only frequent pairs.',
    ),
  similarity: laterSimilarityParameter,
  ...rankingParameters,
});

export const itemKnnKind: BuiltInKind<'item-knn', typeof itemKnnParameters> = {
  kind: 'item-knn',
  version: 1,
  title: 'Item nearest neighbours',
  description:
    "Similarity of items by the users who have both in training (cosine unless told otherwise); a user's score for an item is the sum of its similarities to the items of the user's history (the validation item included), over each of those items' nearest neighbours.",
  source: 'M. Deshpande, G. Karypis. Item-based top-N recommendation algorithms. ACM TOIS 22(1), 2004.',
  parameters: itemKnnParameters,
  data: 'sequences',
  deterministic: true,
  splits: RECOMMENDER_SPLITS,
  presets: [
    {
      name: 'baselines/item-knn-beauty',
      description: 'Amazon Beauty, all items ranked.',
      dataset: 'amazon-beauty',
      parameters: {},
    },
    {
      name: 'baselines/item-knn-beauty-unseen',
      description: 'Amazon Beauty, seen items left out of the ranking.',
      dataset: 'amazon-beauty',
      parameters: { excludeSeen: true },
    },
    {
      name: 'baselines/item-knn-ml-1m',
      description: 'MovieLens 1M, seen items left out.',
      dataset: 'ml-1m',
      parameters: { excludeSeen: true },
    },
    ...leporidPresets('item-knn', {
      title: 'Settings by validation on MovieLens 100K.',
      parameters: { neighbours: 200, shrinkage: 0, similarity: 'jaccard' },
    }),
    ...overrecTablePresets('item-knn', onEveryDataset({ shrinkage: 0 })),
    {
      name: 'demo/item-knn-generated',
      description: 'Generated Markov sequences: needs no download.',
      dataset: 'generated/markov-medium',
      parameters: {},
    },
  ],
  primaryMetric: 'test/ndcg@10',
};
