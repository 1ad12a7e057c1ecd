import { z } from 'zod';
import { RECOMMENDER_SPLITS } from '../datasetSelection.ts';
import type { BuiltInKind } from '../kind.ts';
import { leporidPresets } from '../presets/leporidPresets.ts';
import { rankingParameters } from '../parameters/rankingParameters.ts';
import { similarityParameter } from '../parameters/similarityParameters.ts';

export const userKnnParameters = z.strictObject({
  neighbours: z
    .int()
    .min(1)
    .max(100_000)
    .default(100)
    .describe('Most similar users whose items are counted. Default 100. More reach more items and dilute the nearest.'),
  shrinkage: z
    .number()
    .min(0)
    .max(1e6)
    .default(10)
    .describe(
      'Added to the denominator of the similarity, in items: users with little in common count less. Default 10; 0 is the plain similarity; more trusts only long histories.',
    ),
  similarity: similarityParameter('cosine'),
  ...rankingParameters,
});

export const userKnnKind: BuiltInKind<'user-knn', typeof userKnnParameters> = {
  kind: 'user-knn',
  version: 1,
  title: 'User nearest neighbours',
  description:
    "The users whose training items are most like a user's history (the validation part included) vote for their items, each with its similarity.",
  source:
    'B. Sarwar, G. Karypis, J. Konstan, J. Riedl. Analysis of recommendation algorithms for e-commerce. EC 2000; with shrinkage as M. Ferrari Dacrema, P. Cremonesi, D. Jannach, RecSys 2019.',
  parameters: userKnnParameters,
  data: 'sequences',
  deterministic: true,
  splits: RECOMMENDER_SPLITS,
  presets: [
    ...leporidPresets('user-knn', {
      title: 'Settings by validation on MovieLens 100K.',
      parameters: { neighbours: 20, shrinkage: 10 },
    }),
    {
      name: 'demo/user-knn-generated',
      description: 'Generated Markov sequences: needs no download.',
      dataset: 'generated/markov-medium',
      parameters: {},
    },
  ],
  primaryMetric: 'test/ndcg@10',
};
