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

export const sknnParameters = z.strictObject({
  neighbours: neighbourCount(
    500,
    "the row that OverRec's Table II prints for SkNN needs 500 to 1000, although its settings file says 20.",
  ),
  prediction: predictionFunction.default('equal-item').describe(`${PREDICTION_DESCRIPTION} Default equal-item.`),
  ...sharedNeighbourParameters,
  ...rankingParameters,
});

export type SknnParameters = z.output<typeof sknnParameters>;

export const sknnKind: BuiltInKind<'sknn', typeof sknnParameters> = {
  kind: 'sknn',
  version: 1,
  title: 'Sequence nearest neighbours (SkNN)',
  description:
    "Nearest neighbours of a user's history among the other users' training sequences, by the cosine of their sets of items; what the neighbours contain is recommended. Nothing is trained. The user's own training sequence is no neighbour.",
  source:
    'D. Jannach, M. Ludewig. When Recurrent Neural Networks meet the Neighborhood for Session-Based Recommendation. RecSys 2017; as evaluated by OverRec, Section VI.',
  parameters: sknnParameters,
  data: 'sequences',
  deterministic: true,
  splits: RECOMMENDER_SPLITS,
  presets: [
    {
      name: 'overrec/sknn-beauty',
      description: 'Amazon Beauty, Table II: all items ranked, seen ones included.',
      dataset: 'amazon-beauty',
      parameters: {},
    },
    {
      name: 'overrec/sknn-beauty-unseen',
      description: 'Amazon Beauty, seen items left out: then it is level with OverRec.',
      dataset: 'amazon-beauty',
      parameters: { excludeSeen: true },
    },
    {
      name: 'overrec/sknn-weighted-y-beauty',
      description: 'Amazon Beauty, Figure 5: the prediction of OverRec on the similarity of SkNN.',
      dataset: 'amazon-beauty',
      parameters: { prediction: 'weighted-y' },
    },
    {
      name: 'overrec/sknn-ml-1m',
      description: 'MovieLens 1M, Table II: all items ranked, seen ones included.',
      dataset: 'ml-1m',
      selection: { core: 5 },
      parameters: {},
    },
    ...overrecTablePresets('sknn', onEveryDataset({})),
    {
      name: 'demo/sknn-generated',
      description: 'Generated Markov sequences: needs no download.',
      dataset: 'generated/markov-medium',
      parameters: {},
    },
  ],
  primaryMetric: 'test/ndcg@10',
};
