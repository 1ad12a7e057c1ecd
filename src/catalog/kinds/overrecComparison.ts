import { z } from 'zod';
import type { KindDefinition } from '../kind.ts';
import {
  itemDecay,
  neighbourCount,
  PREDICTION_DESCRIPTION,
  predictionFunction,
  sharedNeighbourParameters,
} from '../parameters/neighbourParameters.ts';
import { rankingParameters } from '../parameters/rankingParameters.ts';
import {
  checkKernelVariant,
  duplicateTargets,
  kernelMaximumLength,
  kernelVariant,
  sequenceKernelParameters,
} from '../parameters/sequenceKernelParameters.ts';
import { stanParameters } from './stan.ts';

/** Measures of likeness between sequences: OverRec, Section VI-D1. */
export const SIMILARITIES = ['rntk', 'nngp', 'stan', 'sknn'] as const;
export type Similarity = (typeof SIMILARITIES)[number];

const allDifferent = (values: readonly unknown[]): boolean => new Set(values).size === values.length;

export const overrecComparisonParameters = z
  .strictObject({
    similarities: z
      .array(z.enum(SIMILARITIES))
      .min(1)
      .max(SIMILARITIES.length)
      .refine(allDifferent, 'expected each similarity once')
      .default([...SIMILARITIES])
      .describe(
        'Measures of likeness that are compared: rntk and nngp, whose neighbours are all training prefixes; stan and sknn, whose neighbours are the training parts of the other users. Default all four.',
      ),
    predictions: z
      .array(predictionFunction)
      .min(1)
      .max(predictionFunction.options.length)
      .refine(allDifferent, 'expected each prediction once')
      .default(['weighted-y', 'weighted-item', 'equal-item'])
      .describe(
        `Prediction functions that each of them is combined with. ${PREDICTION_DESCRIPTION} Default weighted-y, weighted-item and equal-item.`,
      ),
    ...sequenceKernelParameters,
    variant: kernelVariant,
    neighbours: z
      .int()
      .min(1)
      .max(1000)
      .nullable()
      .default(null)
      .describe(
        "Neighbours k of rntk and nngp, 1 to 1000. Default null: each metric's own cut-off, as in the paper. More reach more items and dilute the nearest.",
      ),
    stanNeighbours: neighbourCount(20, "that of stan in OverRec's settings file."),
    sknnNeighbours: neighbourCount(500, 'that of sknn, which the printed row of Table II needs.'),
    positionDecay: stanParameters.shape.positionDecay,
    recencyDecay: stanParameters.shape.recencyDecay,
    stanVariant: stanParameters.shape.variant,
    itemDecay,
    duplicateTargets: duplicateTargets.describe(sharedNeighbourParameters.duplicateTargets.description ?? ''),
    maximumLength: kernelMaximumLength,
    ...rankingParameters,
  })
  .superRefine((parameters, context) => {
    checkKernelVariant(parameters, (path, message) => context.addIssue({ code: 'custom', path: [path], message }));
  });

export type OverrecComparisonParameters = z.output<typeof overrecComparisonParameters>;

/** All by the code of OverRec's authors. */
const AUTHORS_CODE = {
  variant: 'author',
  stanVariant: 'author',
  duplicateTargets: 'assign',
  predictions: ['weighted-y', 'weighted-item-author', 'weighted-item-author-input', 'equal-item'],
};

export const overrecComparisonKind: KindDefinition<typeof overrecComparisonParameters> = {
  kind: 'overrec-comparison',
  version: 1,
  title: 'Similarities and predictions of nearest sequences (OverRec)',
  description:
    'Every measure of likeness between sequences with every way of predicting from neighbours, on one dataset: the neighbours of a measure are found once and vote in each way (Figure 5). Metrics test/SIMILARITY/PREDICTION/… at step 0, NDCG as a figure of bars.',
  source:
    'R. Qiu, Z. Huang, H. Yin. Beyond Double Ascent via Recurrent Neural Tangent Kernel in Sequential Recommendation. ICDM 2022, Section VI-D, Figure 5.',
  parameters: overrecComparisonParameters,
  data: 'sequences',
  presets: [
    {
      name: 'overrec/figure-5-beauty',
      description: "Amazon Beauty, Figure 5 by the authors' code: kernels un-normalised, one neighbour a target.",
      dataset: 'amazon-beauty',
      parameters: AUTHORS_CODE,
    },
    {
      name: 'overrec/figure-5-exact-beauty',
      description: 'Amazon Beauty, Figure 5 by the formulas: exact kernels, Eq. 16 as printed, STAN as published.',
      dataset: 'amazon-beauty',
      parameters: {},
    },
    {
      name: 'overrec/figure-5-unseen-beauty',
      description: "Amazon Beauty, Figure 5 by the authors' code with seen items left out of the ranking.",
      dataset: 'amazon-beauty',
      parameters: { ...AUTHORS_CODE, excludeSeen: true },
    },
    {
      name: 'overrec/figure-5-ml-1m',
      description: "MovieLens 1M, Figure 5 by the authors' code.",
      dataset: 'ml-1m',
      selection: { core: 5 },
      parameters: AUTHORS_CODE,
    },
    {
      name: 'demo/overrec-comparison-generated',
      description: 'Generated Markov sequences: needs no download.',
      dataset: 'generated/markov-medium',
      parameters: { sknnNeighbours: 100 },
    },
  ],
  primaryMetric: 'test/rntk/weighted-y/ndcg@5',
};
