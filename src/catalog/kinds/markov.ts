import { z } from 'zod';
import { RECOMMENDER_SPLITS } from '../datasetSelection.ts';
import type { BuiltInKind } from '../kind.ts';
import { rankingParameters } from '../parameters/rankingParameters.ts';

export const markovParameters = z.strictObject({
  smoothing: z
    .number()
    .min(0)
    .max(1e6)
    .default(1)
    .describe(
      'Weight of popularity, in transitions: P(i | l) = (count(l, i) + smoothing × popularity share of i) / (count(l) + smoothing). Default 1. More leans on popularity; 0 leaves items that never followed at 0.',
    ),
  ...rankingParameters,
});

export const markovKind: BuiltInKind<'markov', typeof markovParameters> = {
  kind: 'markov',
  version: 1,
  title: 'First-order Markov chain',
  description:
    "Ranks items by how often they followed the user's last item (the validation item) in the training sequences, smoothed by popularity; a last item that nothing ever followed gives popularity alone.",
  source:
    'Maximum likelihood transitions as in S. Rendle, C. Freudenthaler, L. Schmidt-Thieme, WWW 2010 (not factorised), with Dirichlet smoothing towards popularity.',
  parameters: markovParameters,
  data: 'sequences',
  deterministic: true,
  splits: RECOMMENDER_SPLITS,
  presets: [
    {
      name: 'baselines/markov-beauty',
      description: 'Amazon Beauty, all items ranked.',
      dataset: 'amazon-beauty',
      parameters: {},
    },
    {
      name: 'baselines/markov-ml-1m',
      description: 'MovieLens 1M, seen items left out.',
      dataset: 'ml-1m',
      parameters: { excludeSeen: true },
    },
    {
      name: 'demo/markov-generated',
      description: 'Generated Markov sequences: needs no download.',
      dataset: 'generated/markov-medium',
      parameters: {},
    },
  ],
  primaryMetric: 'test/ndcg@10',
};
