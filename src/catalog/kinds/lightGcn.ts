import { z } from 'zod';
import { RECOMMENDER_SPLITS } from '../datasetSelection.ts';
import type { BuiltInKind } from '../kind.ts';
import { SEVO_DATASETS, SEVO_PROTOCOL } from '../presets/sevoPresets.ts';
import { trainedInitObject } from '../parameters/initParameters.ts';
import { graphParameters, regularizationParameter } from '../parameters/graphParameters.ts';
import { refuseContradictions, trainedParameters } from '../parameters/trainedParameters.ts';

export const lightGcnParameters = z
  .strictObject({
    ...graphParameters,
    layers: z
      .int()
      .min(0)
      .max(16)
      .default(3)
      .describe(
        'Products with the graph, K: how many steps away a node is heard. Default 3. More reaches further, makes neighbours more alike, and takes proportionally longer; 0 is matrix factorisation.',
      ),
    regularization: regularizationParameter(0.0001, 'embeddings'),
    ...trainedParameters({
      epochs: 1000,
      batchSize: 2048,
      weightDecay: 0,
      beta2: 0.999,
      smooths: 'users-and-items',
    }),
    init: trainedInitObject.prefault({}).describe('What the embeddings start from.'),
  })
  .superRefine(refuseContradictions);

export type LightGcnParameters = z.output<typeof lightGcnParameters>;

export const lightGcnKind: BuiltInKind<'lightgcn', typeof lightGcnParameters> = {
  kind: 'lightgcn',
  version: 1,
  title: 'LightGCN',
  description:
    'Embeddings of users and items, averaged with those of their neighbours in the graph of training interactions over some layers, trained by BPR. A user is its embedding, so the validation item is not part of the test input.',
  source: 'X. He et al. LightGCN: Simplifying and powering graph convolution network for recommendation. SIGIR 2020.',
  parameters: lightGcnParameters,
  data: 'sequences',
  splits: RECOMMENDER_SPLITS,
  presets: [
    ...SEVO_DATASETS.map(({ name, title, dataset, selection }) => ({
      name: `sevo/lightgcn-${name}`,
      description: `${title}, Table 3: LightGCN’s own hyper-parameters, seen items left out, best validation tested. The authors of SEvo print none.`,
      dataset,
      ...(selection === undefined ? {} : { selection }),
      parameters: { ...SEVO_PROTOCOL },
    })),
    {
      name: 'demo/lightgcn-generated',
      description: 'Generated Markov sequences: needs no download, and ends within a minute.',
      dataset: 'generated/markov-medium',
      parameters: { dimension: 32, epochs: 60, optimizer: { learningRate: 0.01 } },
    },
  ],
  primaryMetric: 'test/ndcg@10',
};
