import { z } from 'zod';
import { RECOMMENDER_SPLITS } from '../datasetSelection.ts';
import type { KindDefinition } from '../kind.ts';
import { SEVO_DATASETS, SEVO_PROTOCOL } from '../presets/sevoPresets.ts';
import { trainedInitObject } from '../parameters/initParameters.ts';
import { checkTrained, trainedParameters } from '../parameters/trainedParameters.ts';

export const lightGcnParameters = z
  .strictObject({
    dimension: z
      .int()
      .min(1)
      .max(1024)
      .default(64)
      .describe(
        'Length of the user and item embeddings. Default 64. More can fit more and takes proportionally longer.',
      ),
    layers: z
      .int()
      .min(0)
      .max(16)
      .default(3)
      .describe(
        'Products with the graph, K: how many steps away a node is heard. Default 3. More reaches further, makes neighbours more alike, and takes proportionally longer; 0 is matrix factorisation.',
      ),
    regularization: z
      .number()
      .min(0)
      .max(10)
      .default(0.0001)
      .describe(
        'λ, weight of the squared norms of the embeddings of each sampled triple. Default 0.0001. More keeps embeddings smaller.',
      ),
    ...trainedParameters({
      ...{ epochs: 1000, batchSize: 2048, weightDecay: 0, beta2: 0.999 },
      smooths: 'users-and-items',
    }),
    init: trainedInitObject.prefault({}).describe('What the embeddings start from.'),
  })
  .superRefine((parameters, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    checkTrained(parameters, refuse);
  });

export type LightGcnParameters = z.output<typeof lightGcnParameters>;

export const lightGcnKind: KindDefinition<typeof lightGcnParameters> = {
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
