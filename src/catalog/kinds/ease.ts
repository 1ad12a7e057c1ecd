import { z } from 'zod';
import { RECOMMENDER_SPLITS } from '../datasetSelection.ts';
import type { BuiltInKind } from '../kind.ts';
import { rankingParameters } from '../parameters/rankingParameters.ts';

export const easeParameters = z.strictObject({
  l2: z
    .number()
    .min(1e-3)
    .max(1e9)
    .default(500)
    .describe(
      'Penalty λ on the sum of the squared weights, in users. Default 500, the value of the paper for MovieLens 20M; fewer interactions want less.',
    ),
  ...rankingParameters,
});

export const easeKind: BuiltInKind<'ease', typeof easeParameters> = {
  kind: 'ease',
  version: 1,
  title: 'EASE',
  description:
    'Embarrassingly shallow autoencoder: ridge regression of each item on all others, in closed form; scores are sums of the weights of the history, which may be negative. Needs 16 to 32 bytes for each two items, and time that grows with the cube of the items, or of the users where these are fewer.',
  source: 'H. Steck. Embarrassingly shallow autoencoders for sparse data. WWW 2019.',
  parameters: easeParameters,
  data: 'sequences',
  deterministic: true,
  splits: RECOMMENDER_SPLITS,
  presets: [
    {
      name: 'baselines/ease-ml-100k',
      description: 'MovieLens 100K, seen items left out of the ranking.',
      dataset: 'ml-100k',
      parameters: { l2: 200, excludeSeen: true },
    },
    {
      name: 'baselines/ease-ml-1m',
      description: 'MovieLens 1M, seen items left out of the ranking.',
      dataset: 'ml-1m',
      parameters: { excludeSeen: true },
    },
    {
      name: 'demo/ease-generated',
      description: 'Generated Markov sequences: needs no download.',
      dataset: 'generated/markov-medium',
      parameters: { l2: 50 },
    },
  ],
  primaryMetric: 'test/ndcg@10',
};
