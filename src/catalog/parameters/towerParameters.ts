import { z } from 'zod';

/** Parameters of the two-tower recommender over frozen representations, and of how it is trained and asked. */
export const towerParameters = z.strictObject({
  width: z
    .int()
    .min(1)
    .max(1024)
    .default(16)
    .describe(
      'Units of the recurrent and of the dense layers. Default 16, the paper’s. More fits closer and takes longer.',
    ),
  layers: z
    .int()
    .min(1)
    .max(8)
    .default(1)
    .describe(
      'Dense layers with a sigmoid of each tower, after the recurrent one in the user’s. Default 1; the paper does not say. More can bend more and learn slower.',
    ),
  loss: z
    .enum(['bce', 'bpr'])
    .default('bce')
    .describe(
      'bce: logistic loss of the item that came against those drawn, with a trained constant added to every score, since products of sigmoids are never negative; bpr: Bayesian personalised ranking. Default bce, the loss of the paper’s pretraining; of this one it does not say.',
    ),
  negatives: z
    .int()
    .min(1)
    .max(1000)
    .default(3)
    .describe(
      'Items drawn against each that came, uniformly from those that the user does not train on. Default 3, the paper’s. More contrasts more, in more time.',
    ),
  maximumLength: z
    .int()
    .min(2)
    .max(5000)
    .default(100)
    .describe(
      'Histories are cut to their last items, this many, in training and testing. Default 100; the paper does not say. More learns from more of each user, in proportionally more time.',
    ),
  batchSize: z
    .int()
    .min(1)
    .max(100_000)
    .default(32)
    .describe('Users of a step. Default 32; the paper does not say. More makes fewer, steadier steps.'),
  epochs: z
    .int()
    .min(1)
    .max(100_000)
    .default(20)
    .describe(
      'Passes over the users at most. Default 20, for the time it takes; the paper stops by patience alone. More fits closer.',
    ),
  learningRate: z
    .number()
    .positive()
    .max(10)
    .default(0.001)
    .describe('Step size of Adam. Default 0.001, the paper’s. More learns faster and less steadily.'),
  weightDecay: z
    .number()
    .min(0)
    .max(10)
    .default(1e-4)
    .describe('L2 penalty, added to the gradient. Default 0.0001, the paper’s. More keeps weights smaller.'),
  patience: z
    .int()
    .min(0)
    .max(10_000)
    .default(3)
    .describe(
      'Stop after so many epochs in a row in which the training loss fell by less than minimumImprovement; 0 trains all epochs. Default 3, the paper’s. More waits longer.',
    ),
  minimumImprovement: z
    .number()
    .min(0)
    .max(10)
    .default(1e-4)
    .describe('Least fall of the loss that counts for patience. Default 0.0001, the paper’s. More stops sooner.'),
  sameSeed: z
    .boolean()
    .default(true)
    .describe(
      'Train on every pretraining from the same seed, so that results differ by the representation alone. Default true; false draws another start, order and negatives for each.',
    ),
  excludeSeen: z
    .boolean()
    .default(true)
    .describe(
      'Leave the items of the user’s own history out of the ranking over all items. Default true, since a film is rated once; the paper does not say. False lowers every metric.',
    ),
  candidates: z
    .int()
    .min(0)
    .max(100_000)
    .default(100)
    .describe(
      'Items, of those that the user never met, drawn once for each user, among which its test item is ranked for sampled-recall@5 and sampled-ndcg@5; 0 for none. Default 100. The paper does not say that it samples, but its numbers are out of reach over all items. More lowers these metrics.',
    ),
});
