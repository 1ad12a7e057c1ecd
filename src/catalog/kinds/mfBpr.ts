import { z } from 'zod';
import { checkpointEvery } from '../parameters/checkpointEvery.ts';
import { RECOMMENDER_SPLITS } from '../datasetSelection.ts';
import type { BuiltInKind } from '../kind.ts';
import { leporidPresets } from '../presets/leporidPresets.ts';
import { trainedInitObject } from '../parameters/initParameters.ts';
import { overrecTablePresets } from '../presets/overrecTablePresets.ts';
import { rankingParameters } from '../parameters/rankingParameters.ts';
import { type Backbone, ENHANCED, PLAIN, SEVO_DATASETS, sevoPreset } from '../presets/sevoPresets.ts';
import { optimizerParameters } from '../parameters/trainedParameters.ts';

/** Defaults chosen by validation on Amazon Beauty: the paper names none. */
export const mfBprParameters = z
  .strictObject({
    dimension: z
      .int()
      .min(1)
      .max(1024)
      .default(64)
      .describe(
        'Length of the user and item embeddings. Default 64. More can fit more and takes proportionally longer.',
      ),
    epochs: z
      .int()
      .min(1)
      .max(100_000)
      .default(40)
      .describe('Passes over the training interactions. Default 40. More fits closer, up to overfitting.'),
    learningRate: z
      .number()
      .positive()
      .max(10)
      .default(0.1)
      .describe('Step size of gradient descent. Default 0.1. More learns faster and less steadily.'),
    regularization: z
      .number()
      .min(0)
      .max(10)
      .default(0.05)
      .describe(
        'L2 penalty on the embeddings of each sampled triple. Default 0.05, for sparse data; dense data wants less. More keeps embeddings smaller.',
      ),
    initialDeviation: z
      .number()
      .positive()
      .max(10)
      .default(0.05)
      .describe(
        'Standard deviation of the normal distribution that embeddings start from. Default 0.05. More starts with larger, random scores.',
      ),
    init: trainedInitObject
      // Not a default: it came later, and configurations that do not name it keep their hash.
      .optional()
      .meta({ default: null })
      .describe(
        'What the embeddings of users and items start from instead of a normal distribution with initialDeviation: other distributions, embeddings computed from the training interactions, or those of another run. Left out: normal.',
      ),
    evaluateEvery: z
      .int()
      .min(0)
      .max(100_000)
      .default(5)
      .describe(
        'Epochs between validations (valid/ndcg@10, valid/hr@10); 0 for none. Default 5. More saves time and gives a coarser curve.',
      ),
    optimizer: optimizerParameters({ weightDecay: 0.1, beta2: 0.999, smooths: 'users-and-items' })
      // Not a default, like the two after it: configurations that do not name them keep their hash.
      .optional()
      .meta({ default: null })
      .describe(
        'Trains in batches by this optimizer, as SEvo’s authors do, in place of a step of gradient descent a triple; learningRate and regularization are then not used. Left out, a step a triple.',
      ),
    batchSize: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .meta({ default: 2048 })
      .describe('Triples of a step of optimizer. Default 2048. More makes fewer, steadier steps. Only with optimizer.'),
    triples: z
      .enum(['users', 'interactions'])
      .optional()
      .meta({ default: 'users' })
      .describe(
        'What optimizer draws as many times an epoch as there are training interactions: users, each with one of its items, as SEvo’s authors do; or each interaction once. Default users. Only with optimizer.',
      ),
    patience: z
      .int()
      .min(0)
      .max(10_000)
      .default(0)
      .describe(
        'Stop after this many validations without a better valid/ndcg@10, and test the best embeddings; 0 trains all epochs and tests the last. Default 0. More waits longer.',
      ),
    checkpointEvery,
    ...rankingParameters,
  })
  .superRefine(({ optimizer, batchSize, triples }, context) => {
    if (optimizer !== undefined) return;
    for (const [name, value] of Object.entries({ batchSize, triples })) {
      if (value === undefined) continue;
      context.addIssue({ code: 'custom', path: [name], message: 'only batches of an optimizer have it' });
    }
  });

export type MfBprParameters = z.output<typeof mfBprParameters>;

/** Embeddings start near 0, and all validations are waited for: the best is tested. */
const TRAINED = { epochs: 1000, patience: 1000, initialDeviation: 0.0001 };
const SEVO: Backbone = {
  kind: 'mf-bpr',
  protocol: '1,000 epochs in batches of 2,048 triples',
  parameters: {
    beauty: { ...TRAINED, optimizer: { method: 'adamw' } },
    toys: { ...TRAINED, optimizer: { method: 'adamw' } },
    tools: { ...TRAINED, optimizer: { weightDecay: 0.5 } },
    'ml-1m': { ...TRAINED, optimizer: { weightDecay: 0.05 } },
  },
};
/** β by dataset and graph, and where it is not all of them the last items that a graph is made of, from the authors' logs. */
const ITEMS_SMOOTHING = {
  beauty: { beta: 0.9 },
  toys: { beta: 0.99 },
  tools: { beta: 0.5 },
  'ml-1m': { beta: 0.99, graph: { items: 10 } },
};
const USERS_BETA = { beauty: 0.99, toys: 0.7, tools: 0.7, 'ml-1m': 0.7 };
const SEVO_PRESETS = SEVO_DATASETS.flatMap((of) => [
  sevoPreset(SEVO, of, PLAIN),
  sevoPreset(SEVO, of, {
    ...ENHANCED,
    words: `${ENHANCED.words}, items smoothed over their transitions (I-I)`,
    smoothing: ITEMS_SMOOTHING[of.name],
  }),
  sevoPreset(SEVO, of, {
    suffix: '-sevo-users',
    words: `${ENHANCED.words}, users and items smoothed over their interactions (U-I)`,
    smoothing: { beta: USERS_BETA[of.name], graph: { weights: { transitions: 0, interactions: 1 } } },
  }),
]);

export const mfBprKind: BuiltInKind<'mf-bpr', typeof mfBprParameters> = {
  kind: 'mf-bpr',
  version: 1,
  title: 'Matrix factorisation with BPR',
  description:
    "User and item embeddings trained by stochastic gradient descent on Bayesian personalised ranking: an item of the user's training interactions should score above one drawn uniformly from the others. A user is its embedding, so the validation item is not part of the test input.",
  source:
    'S. Rendle, C. Freudenthaler, Z. Gantner, L. Schmidt-Thieme. BPR: Bayesian personalized ranking from implicit feedback. UAI 2009.',
  parameters: mfBprParameters,
  data: 'sequences',
  splits: RECOMMENDER_SPLITS,
  presets: [
    {
      name: 'baselines/mf-bpr-beauty',
      description: 'Amazon Beauty, all items ranked.',
      dataset: 'amazon-beauty',
      parameters: {},
    },
    {
      name: 'baselines/mf-bpr-beauty-unseen',
      description: 'Amazon Beauty, seen items left out, early stopping.',
      dataset: 'amazon-beauty',
      parameters: { excludeSeen: true, epochs: 200, patience: 5 },
    },
    {
      name: 'baselines/mf-bpr-ml-1m',
      description: 'MovieLens 1M, seen items left out.',
      dataset: 'ml-1m',
      parameters: { excludeSeen: true, learningRate: 0.05, regularization: 0.01 },
    },
    ...leporidPresets('mf-bpr', { parameters: { learningRate: 0.05, regularization: 0.01, epochs: 200, patience: 5 } }),
    ...SEVO_PRESETS,
    ...overrecTablePresets('mf-bpr', {
      beauty: { epochs: 200, patience: 5 },
      'ml-1m': { learningRate: 0.05, regularization: 0.01, epochs: 200, patience: 5 },
    }),
    {
      name: 'demo/mf-bpr-generated',
      description: 'Generated Markov sequences: needs no download.',
      dataset: 'generated/markov-medium',
      parameters: {},
    },
  ],
  primaryMetric: 'test/ndcg@10',
};
