import { z } from 'zod';
import { RECOMMENDER_SPLITS } from '../datasetSelection.ts';
import type { BuiltInKind } from '../kind.ts';
import {
  neighbourCount,
  PREDICTION_DESCRIPTION,
  predictionFunction,
  sharedNeighbourParameters,
} from '../parameters/neighbourParameters.ts';
import { onEveryDataset, overrecTablePresets } from '../presets/overrecTablePresets.ts';
import { rankingParameters } from '../parameters/rankingParameters.ts';

export const stanParameters = z.strictObject({
  neighbours: neighbourCount(20, "that of OverRec's settings file."),
  positionDecay: z
    .number()
    .positive()
    .max(1e6)
    .default(1)
    .describe(
      "Decay λ1 of the weights of the user's own items, in places from the end of the history. Default 1, as in OverRec's code. More lets older items count.",
    ),
  recencyDecay: z
    .number()
    .positive()
    .nullable()
    .default(null)
    .describe(
      "Decay λ2 of a neighbour's weight with the time since its last training item, in the dataset's own unit of time (seconds for MovieLens). Default null: neighbours do not age, as in OverRec's code. More lets old neighbours count. Needs a dataset with times.",
    ),
  prediction: predictionFunction.default('weighted-item').describe(`${PREDICTION_DESCRIPTION} Default weighted-item.`),
  variant: z
    .enum(['published', 'author'])
    .default('published')
    .describe(
      "Similarity: published divides by the roots of both lengths (Garg et al., Eq. 3); author, OverRec's code, takes the cosine of the weighted history. Default published. The query's norm changes no order of neighbours, but the values that they vote with.",
    ),
  ...sharedNeighbourParameters,
  ...rankingParameters,
});

export type StanParameters = z.output<typeof stanParameters>;

/** OverRec's code, which gives the printed row of Beauty to within 7 %. */
const AUTHORS_CODE = { variant: 'author', prediction: 'weighted-item-author-input' };

export const stanKind: BuiltInKind<'stan', typeof stanParameters> = {
  kind: 'stan',
  version: 1,
  title: 'Sequence and time aware neighbourhood (STAN)',
  description:
    "SkNN with three decays: the user's late items weigh more (λ1), neighbours that ended long ago less (λ2, where the data has times), and of a neighbour's items those near the last common one more (λ3).",
  source:
    'D. Garg, P. Gupta, P. Malhotra, L. Vig, G. Shroff. Sequence and Time Aware Neighborhood for Session-based Recommendations: STAN. SIGIR 2019; as evaluated by OverRec, Section VI.',
  parameters: stanParameters,
  data: 'sequences',
  deterministic: true,
  splits: RECOMMENDER_SPLITS,
  presets: [
    {
      name: 'overrec/stan-beauty',
      description: "Amazon Beauty, the printed row of OverRec's Table II, to within 7 %: its authors' code.",
      dataset: 'amazon-beauty',
      parameters: { variant: 'author', prediction: 'weighted-item-author-input' },
    },
    {
      name: 'overrec/stan-published-beauty',
      description: 'Amazon Beauty, as STAN was published (λ1 and λ3; the data has no times).',
      dataset: 'amazon-beauty',
      parameters: {},
    },
    {
      name: 'overrec/stan-weighted-y-beauty',
      description: 'Amazon Beauty, Figure 5: the prediction of OverRec on the similarity of STAN.',
      dataset: 'amazon-beauty',
      parameters: { variant: 'author', prediction: 'weighted-y', duplicateTargets: 'assign' },
    },
    {
      name: 'overrec/stan-ml-1m',
      description: "MovieLens 1M by OverRec's code.",
      dataset: 'ml-1m',
      selection: { core: 5 },
      parameters: { variant: 'author', prediction: 'weighted-item-author-input' },
    },
    ...overrecTablePresets('stan', onEveryDataset(AUTHORS_CODE)),
    {
      name: 'demo/stan-generated',
      description: 'Generated Markov sequences: needs no download.',
      dataset: 'generated/markov-medium',
      parameters: {},
    },
  ],
  primaryMetric: 'test/ndcg@10',
};
