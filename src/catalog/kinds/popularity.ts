import { z } from 'zod';
import { RECOMMENDER_SPLITS } from '../datasetSelection.ts';
import type { BuiltInKind } from '../kind.ts';
import { leporidPresets } from '../presets/leporidPresets.ts';
import { rankingParameters } from '../parameters/rankingParameters.ts';

export const popularityParameters = z.strictObject(rankingParameters);

export const popularityKind: BuiltInKind<'popularity', typeof popularityParameters> = {
  kind: 'popularity',
  version: 1,
  title: 'Popularity',
  description:
    'Ranks items by how often they occur in the training interactions the same list for everybody. The floor that every recommender has to beat.',
  source: 'Common baseline; P. Cremonesi, Y. Koren, R. Turrin, RecSys 2010 (TopPop).',
  parameters: popularityParameters,
  data: 'sequences',
  deterministic: true,
  splits: RECOMMENDER_SPLITS,
  presets: [
    {
      name: 'baselines/popularity-beauty',
      description: 'Amazon Beauty, all items ranked.',
      dataset: 'amazon-beauty',
      parameters: {},
    },
    {
      name: 'baselines/popularity-ml-1m',
      description: 'MovieLens 1M, seen items left out.',
      dataset: 'ml-1m',
      parameters: { excludeSeen: true },
    },
    ...leporidPresets('toppop'),
    {
      name: 'demo/popularity-generated',
      description: 'Generated Markov sequences: needs no download.',
      dataset: 'generated/markov-medium',
      parameters: {},
    },
  ],
  primaryMetric: 'test/ndcg@10',
};
