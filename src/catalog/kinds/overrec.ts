import { z } from 'zod';
import { RECOMMENDER_SPLITS } from '../datasetSelection.ts';
import type { BuiltInKind, Preset } from '../kind.ts';
import { itemDecay, PREDICTION_DESCRIPTION, predictionFunction } from '../parameters/neighbourParameters.ts';
import { onEveryDataset, overrecTablePresets } from '../presets/overrecTablePresets.ts';
import { rankingParameters } from '../parameters/rankingParameters.ts';
import {
  checkKernelVariant,
  duplicateTargets,
  kernelMaximumLength,
  kernelVariant,
  sequenceKernelParameters,
} from '../parameters/sequenceKernelParameters.ts';
import { cited, PAPERS } from '../published/papers.ts';

export const overrecParameters = z
  .strictObject({
    kernel: z
      .enum(['rntk', 'nngp'])
      .default('rntk')
      .describe(
        'Similarity of two sequences: rntk, the tangent kernel of the infinitely wide recurrent network (OverRec Algorithm 2), or nngp, its kernel at initialisation (Algorithm 1). Default rntk.',
      ),
    ...sequenceKernelParameters,
    neighbours: z
      .int()
      .min(1)
      .max(1000)
      .nullable()
      .default(null)
      .describe(
        "Neighbours k that vote, 1 to 1000. Default null: each metric's own cut-off, as in the paper. More neighbours reach more items and dilute the nearest.",
      ),
    prediction: predictionFunction
      .default('weighted-y')
      .describe(`${PREDICTION_DESCRIPTION} Default weighted-y, OverRec's own.`),
    // Not a default: it came later, and configurations that do not name it keep their hash.
    itemDecay: itemDecay
      .unwrap()
      .optional()
      .meta({ default: 3 })
      .describe(itemDecay.description ?? ''),
    duplicateTargets,
    variant: kernelVariant,
    maximumLength: kernelMaximumLength,
    neighbourSet: z
      .enum(['training-prefixes', 'training-and-validation-prefixes', 'last-training-prefix'])
      .default('training-prefixes')
      .describe(
        'Which prefixes are neighbours: training-prefixes, all with a training item as target (Table II); training-and-validation-prefixes, also those with the validation item as target; last-training-prefix, one per user. Default training-prefixes.',
      ),
    evaluate: z
      .enum(['test', 'validation'])
      .default('test')
      .describe(
        "What is predicted: each user's last item (metrics test/…) or the one before it (valid/…). Default test.",
      ),
    testInput: z
      .enum(['with-validation-item', 'without-validation-item'])
      .default('with-validation-item')
      .describe(
        'Whether the validation item is part of the input when the test item is predicted. Default with, as in Table II.',
      ),
    ...rankingParameters,
  })
  .superRefine((parameters, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    checkKernelVariant(parameters, refuse);
    if (parameters.evaluate === 'validation' && parameters.neighbourSet === 'training-and-validation-prefixes') {
      refuse('neighbourSet', 'neighbours with the validation item as target would tell what is to be predicted');
    }
  });

export type OverrecParameters = z.output<typeof overrecParameters>;

const beauty = (name: string, description: string, parameters: Record<string, unknown>): Preset => ({
  name: `overrec/${name}-beauty`,
  description: `Amazon Beauty, Table II: ${description}`,
  dataset: 'amazon-beauty',
  parameters,
});

/** What the printed rows were computed with (docs/errata.md, 10). */
const AUTHORS_CODE = { variant: 'author', duplicateTargets: 'assign' };

export const overrecKind: BuiltInKind<'overrec', typeof overrecParameters> = {
  kind: 'overrec',
  version: 1,
  title: 'OverRec',
  description:
    "An infinitely wide recurrent network as a measure of likeness between sequences, followed by nearest neighbours: the kernel compares a user's history with all training prefixes, and the items that followed the nearest are recommended. Nothing is trained. The computation is exact and sparse: kernel values once per distinct pattern of aligned equal items.",
  source: `${cited('overrec', 'Sections III and IV')} ${PAPERS.rntk}`,
  parameters: overrecParameters,
  data: 'sequences',
  deterministic: true,
  splits: RECOMMENDER_SPLITS,
  presets: [
    beauty('rntk', 'RNTK, exact kernel, the sum of Eq. 16.', {}),
    beauty('nngp', 'NNGP-RNN, exact kernel, the sum of Eq. 16.', { kernel: 'nngp' }),
    beauty('rntk-assign', 'RNTK, exact kernel, one neighbour a target.', { duplicateTargets: 'assign' }),
    beauty('rntk-equal-item', 'RNTK with the prediction of SkNN (Figure 5).', { prediction: 'equal-item' }),
    beauty('rntk-weighted-item', 'RNTK with the prediction of STAN (Figure 5).', { prediction: 'weighted-item' }),
    beauty('author', "RNTK by the authors' code, one neighbour a target: the printed OverRec row.", {
      variant: 'author',
      duplicateTargets: 'assign',
    }),
    beauty('author-nngp', "NNGP by the authors' code, one neighbour a target: the printed NNGP-RNN row.", {
      kernel: 'nngp',
      variant: 'author',
      duplicateTargets: 'assign',
    }),
    {
      name: 'overrec/rntk-ml-1m',
      description: 'MovieLens 1M: RNTK, exact kernel.',
      dataset: 'ml-1m',
      selection: { core: 5 },
      parameters: {},
    },
    ...overrecTablePresets('overrec', onEveryDataset(AUTHORS_CODE)),
    ...overrecTablePresets('nngp', onEveryDataset({ ...AUTHORS_CODE, kernel: 'nngp' })),
    {
      name: 'demo/overrec-generated',
      description: 'Generated Markov sequences: needs no download.',
      dataset: 'generated/markov-medium',
      parameters: {},
    },
  ],
  primaryMetric: 'test/ndcg@10',
};
