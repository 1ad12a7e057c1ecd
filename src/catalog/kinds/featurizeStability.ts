import { z } from 'zod';
import type { BuiltInKind } from '../kind.ts';
import { checkFeaturize, featurizeParameters } from '../parameters/featurizeParameters.ts';
import { genreParameters } from '../parameters/genreParameters.ts';
import { defaultContextUpdate } from '../parameters/contextUpdate.ts';
import { checkItem2Vec, item2VecParameters } from '../parameters/item2VecParameters.ts';
import { cited } from '../published/papers.ts';

export const featurizeStabilityParameters = z
  .strictObject({
    ...item2VecParameters,
    ...featurizeParameters,
    ...genreParameters,
    shownItems: z
      .int()
      .min(1)
      .max(8)
      .default(3)
      .describe('Items drawn at random whose variances are shown dimension by dimension (Figure 1a). Default 3.'),
    snapshots: z
      .int()
      .min(2)
      .max(8)
      .default(4)
      .describe(
        'Moments of training, evenly spaced and the end among them, at which variances are taken (Figure 1c). Default 4. More take more memory.',
      ),
    pairs: z
      .int()
      .min(10)
      .max(1_000_000)
      .default(20_000)
      .describe('Pairs of items drawn at random whose inner products are compared (Figure 1d). Default 20,000.'),
    downstream: z
      .boolean()
      .default(true)
      .describe(
        'Whether genres are predicted from each pretraining too, to show the fluctuation downstream. Default true; false needs no genres.',
      ),
  })
  .superRefine((parameters, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    checkItem2Vec(parameters, refuse);
    checkFeaturize(parameters, refuse);
  });

export type FeaturizeStabilityParameters = z.output<typeof featurizeStabilityParameters>;

export const featurizeStabilityKind: BuiltInKind<'featurize-stability', typeof featurizeStabilityParameters> = {
  kind: 'featurize-stability',
  version: 1,
  title: 'Stability of pretrained embeddings',
  description:
    'Several pretrainings of item2vec that differ in their seed alone (Figure 1): the variance over them of each entry of h, for some items and through training, the loss of each, the variance of pairwise inner products, and the same of φ_d(h). Logistic regression of genres beside it shows what reaches the task. variance/… stands at the epoch.',
  source: cited('featurizing', 'Section 1, Figure 1'),
  parameters: featurizeStabilityParameters,
  laterDefaults: defaultContextUpdate,
  data: 'sequences',
  splits: ['random-by-item'],
  presets: [
    {
      name: 'featurizing/figure-1',
      description: 'MovieLens 1M, d = 32, ten pretrainings: the four panels of Figure 1.',
      dataset: 'ml-1m',
      parameters: {},
    },
    {
      name: 'demo/featurize-stability-generated',
      description: 'Generated clusters: a few seconds, and needs no download.',
      dataset: 'generated/clusters-300x300',
      parameters: { dimension: 8, epochs: 20, learningRate: 0.05, pretrainings: 4, pairs: 2000 },
    },
  ],
  primaryMetric: 'train/loss',
};
