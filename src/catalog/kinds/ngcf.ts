import { z } from 'zod';
import { RECOMMENDER_SPLITS } from '../datasetSelection.ts';
import type { BuiltInKind } from '../kind.ts';
import { leporidInitPresets } from '../presets/leporidInits.ts';
import { graphParameters, regularizationParameter } from '../parameters/graphParameters.ts';
import { dropoutParameter, refuseContradictions, trainedParameters } from '../parameters/trainedParameters.ts';

export const ngcfParameters = z
  .strictObject({
    ...graphParameters,
    layers: z
      .array(z.int().min(1).max(1024))
      .min(1)
      .max(8)
      .default([64, 64, 64])
      .describe(
        'Widths of the layers, each of which hears one step further in the graph. Default 64, 64 and 64. More reach further, wider ones can fit more, in more time.',
      ),
    regularization: regularizationParameter(0.00001, 'rows that score'),
    dropout: dropoutParameter(0.1, 'the entries of each layer'),
    handsOn: z
      .enum(['plain', 'unit'])
      .default('plain')
      .describe(
        'What a layer hands to the next: plain: its rows as they are, as the paper and its authors’ code have it; unit: rows of length 1, as RecBole has it. Default plain.',
      ),
    ...trainedParameters({
      epochs: 400,
      batchSize: 1024,
      weightDecay: 0,
      beta2: 0.999,
      smooths: 'users-and-items',
    }),
  })
  .superRefine(refuseContradictions);

export type NgcfParameters = z.output<typeof ngcfParameters>;

export const ngcfKind: BuiltInKind<'ngcf', typeof ngcfParameters> = {
  kind: 'ngcf',
  version: 1,
  title: 'NGCF',
  description:
    'Neural graph collaborative filtering: each layer mixes embeddings of users and items with their neighbours’ in the graph of training interactions, and with products of both, through matrices of its own; the layers stand beside each other in the rows that score. Trained by BPR. A user is its row, so the validation item is not part of the test input.',
  source:
    'X. Wang, X. He, M. Wang, F. Feng, T.-S. Chua. Neural graph collaborative filtering. SIGIR 2019; compared in LEPORID, Table 3.',
  parameters: ngcfParameters,
  data: 'sequences',
  splits: RECOMMENDER_SPLITS,
  presets: [
    ...leporidInitPresets('ngcf', { patience: 10 }),
    {
      name: 'baselines/ngcf-ml-100k',
      description: 'MovieLens 100K, seen items left out of the ranking, best validation tested.',
      dataset: 'ml-100k',
      parameters: { excludeSeen: true, patience: 10 },
    },
    {
      name: 'demo/ngcf-generated',
      description: 'A generated graph of blocks: needs no download, and ends within a minute.',
      dataset: 'generated/blocks-200x80',
      parameters: { dimension: 16, layers: [16, 16], epochs: 20, excludeSeen: true },
    },
  ],
  primaryMetric: 'test/ndcg@10',
};
