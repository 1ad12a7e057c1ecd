import { z } from 'zod';
import type { KindDefinition } from '../kind.ts';
import { rankingParameters } from './rankingParameters.ts';

/** Defaults chosen by validation on Amazon Beauty: the paper names none. */
export const mfBprParameters = z.strictObject({
  dimension: z
    .int()
    .min(1)
    .max(1024)
    .default(64)
    .describe('Length of the user and item embeddings. Default 64. More can fit more and takes proportionally longer.'),
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
  evaluateEvery: z
    .int()
    .min(0)
    .max(100_000)
    .default(5)
    .describe(
      'Epochs between validations (valid/ndcg@10, valid/hr@10); 0 for none. Default 5. More saves time and gives a coarser curve.',
    ),
  patience: z
    .int()
    .min(0)
    .max(10_000)
    .default(0)
    .describe(
      'Stop after this many validations without a better valid/ndcg@10, and test the best embeddings; 0 trains all epochs and tests the last. Default 0. More waits longer.',
    ),
  checkpointEvery: z
    .int()
    .min(0)
    .max(100_000)
    .default(10)
    .describe(
      'Epochs between checkpoints, from which an interrupted run goes on; 0 for none. Default 10. More writes less and loses more.',
    ),
  ...rankingParameters,
});

export const mfBprKind: KindDefinition<typeof mfBprParameters> = {
  kind: 'mf-bpr',
  version: 1,
  title: 'Matrix factorisation with BPR',
  description:
    "User and item embeddings trained by stochastic gradient descent on Bayesian personalised ranking: an item of the user's training interactions should score above one drawn uniformly from the others. A user is its embedding, so the validation item is not part of the test input.",
  source:
    'S. Rendle, C. Freudenthaler, Z. Gantner, L. Schmidt-Thieme. BPR: Bayesian personalized ranking from implicit feedback. UAI 2009.',
  parameters: mfBprParameters,
  data: 'sequences',
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
    {
      name: 'demo/mf-bpr-generated',
      description: 'Generated Markov sequences: needs no download.',
      dataset: 'generated/markov-medium',
      parameters: {},
    },
  ],
  primaryMetric: 'test/ndcg@10',
};
