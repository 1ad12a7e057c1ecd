import { z } from 'zod';
import { RECOMMENDER_SPLITS } from '../datasetSelection.ts';
import type { BuiltInKind } from '../kind.ts';
import { leporidPresets } from '../presets/leporidPresets.ts';
import { rankingParameters } from '../parameters/rankingParameters.ts';

export const slimParameters = z.strictObject({
  l1: z
    .number()
    .min(0)
    .max(1e6)
    .default(2)
    .describe('Penalty on the sum of the weights, in users. Default 2. More leaves fewer weights, and trains faster.'),
  l2: z
    .number()
    .min(0)
    .max(1e6)
    .default(100)
    .describe(
      'Penalty on half the sum of their squares, in users. Default 100. More spreads weight over items that go together.',
    ),
  tolerance: z
    .number()
    .min(0)
    .max(1)
    .default(1e-4)
    .describe('A descent ends when no weight moves by more than this. Default 1e-4. More ends sooner, less exactly.'),
  sweeps: z
    .int()
    .min(1)
    .max(100_000)
    .default(100)
    .describe('Sweeps over all items that a descent takes at most. Default 100. More are more exact, and take longer.'),
  ...rankingParameters,
});

export const slimKind: BuiltInKind<'slim', typeof slimParameters> = {
  kind: 'slim',
  version: 1,
  title: 'SLIM',
  description:
    'Sparse linear method: for each item an elastic net with weights of 0 or more predicts who has it from the other items that they have; scores are sums of the weights of the history. Needs 8 bytes for each two items.',
  source: 'X. Ning, G. Karypis. SLIM: Sparse linear methods for top-N recommender systems. ICDM 2011.',
  parameters: slimParameters,
  data: 'sequences',
  deterministic: true,
  splits: RECOMMENDER_SPLITS,
  presets: [
    ...leporidPresets('slim', { title: 'Settings by validation on MovieLens 100K.' }),
    {
      name: 'demo/slim-generated',
      description: 'Generated Markov sequences: needs no download.',
      dataset: 'generated/markov-medium',
      parameters: { l1: 0.5, l2: 5 },
    },
  ],
  primaryMetric: 'test/ndcg@10',
};
