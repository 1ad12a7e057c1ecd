import { z } from 'zod';
import { RECOMMENDER_SPLITS } from '../datasetSelection.ts';
import type { BuiltInKind } from '../kind.ts';
import { checkHeads, checkTrained, lossParameter, trainedParameters } from '../parameters/trainedParameters.ts';
import { sasRecParameters } from './sasRec.ts';

const { blocks, heads, dropout, pads, residual, dimension, maximumLength, negatives } = sasRecParameters.shape;

const share = (initial: number, what: string, more: string) =>
  z
    .number()
    .min(0)
    .max(1)
    .default(initial)
    .describe(`Share of a sequence that is ${what} in a view, rounded down. Default ${initial}. More ${more}.`);

/** Views of a batch are compared in pairs: this many users make 256 MiB of products. */
const MOST_USERS = 4096;

export const cl4SRecParameters = z
  .strictObject({
    dimension,
    maximumLength,
    negatives,
    blocks,
    heads,
    dropout,
    pads,
    residual,
    loss: lossParameter('bpr'),
    contrast: z
      .number()
      .min(0)
      .max(100)
      .default(0.1)
      .describe('λ, what telling views apart counts beside the next item. Default 0.1; 0 is SASRec.'),
    temperature: z
      .number()
      .min(0.01)
      .max(100)
      .default(1)
      .describe('τ of the contrast. Default 1. Less tells near sequences apart more sharply.'),
    cropShare: share(0.6, 'kept by cutting', 'keeps views closer to the sequence'),
    maskShare: share(0.3, 'masked', 'makes views less alike'),
    reorderShare: share(0.6, 'put in another order', 'makes views less alike'),
    ...trainedParameters({ epochs: 200, batchSize: 256, weightDecay: 0, beta2: 0.999 }),
  })
  .superRefine((parameters, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    checkHeads(parameters, refuse);
    checkTrained(parameters, refuse);
    if (parameters.contrast > 0 && parameters.batchSize > MOST_USERS) {
      refuse('batchSize', `all views of a batch are compared with each other: at most ${MOST_USERS} is expected`);
    }
  });

export type Cl4SRecParameters = z.output<typeof cl4SRecParameters>;

/** Pads are masked and the query is added, as in the SASRec that they build on. */
const AUTHORS = { heads: 2, pads: 'masked', residual: 'normalised-query', optimizer: { method: 'adam' } };

export const cl4SRecKind: BuiltInKind<'cl4srec', typeof cl4SRecParameters> = {
  kind: 'cl4srec',
  version: 1,
  title: 'CL4SRec',
  description:
    'SASRec with contrastive learning: two views of each user’s items, cut, masked or put in another order, are told from the views of the other users of the batch, by the states themselves, without a projection. No matrix of users by items is made.',
  source:
    'X. Xie, F. Sun, Z. Liu, S. Wu, J. Gao, J. Zhang, B. Ding, B. Cui. Contrastive learning for sequential recommendation. ICDE 2022.',
  parameters: cl4SRecParameters,
  data: 'sequences',
  splits: RECOMMENDER_SPLITS,
  presets: [
    ...(
      [
        ['ml-100k', 'MovieLens 100K', 'ml-100k', { batchSize: 128 }],
        ['beauty', 'Amazon Beauty', 'amazon-beauty', { dropout: 0.5 }],
      ] as const
    ).map(([suffix, words, dataset, parameters]) => ({
      name: `baselines/cl4srec-${suffix}`,
      description: `${words}, seen items left out of the ranking, best validation tested.`,
      dataset,
      parameters: { ...AUTHORS, ...parameters, excludeSeen: true, patience: 8 },
    })),
    {
      name: 'demo/cl4srec-generated',
      description: 'Generated Markov sequences: needs no download, and ends within a minute.',
      dataset: 'generated/markov-medium',
      parameters: { dimension: 32, epochs: 20, batchSize: 128, checkpointEvery: 5 },
    },
  ],
  primaryMetric: 'test/ndcg@10',
};
