import { z } from 'zod';

const graphWeight = (initial: number, what: string) =>
  z
    .number()
    .min(0)
    .max(1_000_000)
    .default(initial)
    .describe(
      `Weight of the graph of ${what} in the sum that is smoothed over; 0 leaves it out. Default ${initial}. More lets it count more against the others.`,
    );

/** Weight of the graph of interactions, for kinds whose users and items are rows of one table. */
const interactionWeight = graphWeight(0, 'users and the items that they train on');
/** The same for kinds that smooth items alone. */
const noInteractionWeight = z
  .number()
  .refine((weight) => weight === 0, 'only embeddings of items are smoothed here: 0 is expected')
  .default(0)
  .describe('0: only embeddings of items are smoothed here.');

const graphParameters = (interactions: typeof interactionWeight) =>
  z
    .strictObject({
      weights: z
        .strictObject({
          transitions: graphWeight(1, 'items that follow each other in training sequences'),
          neighbours: graphWeight(0, 'items that the same users met, each with its nearest'),
          genres: graphWeight(0, 'items that share a genre, weight 1; only for datasets with genres'),
          interactions,
        })
        .refine((weights) => Object.values(weights).some((weight) => weight > 0), 'expected one weight above 0')
        .prefault({})
        .describe('Which graphs are smoothed over: their weighted sum, normalised by degrees.'),
      end: z
        .enum(['last', 'first'])
        .default('last')
        .describe(
          'Which end of each sequence the transitions are counted in. Default last: recent interests. SEvo Figure 7a.',
        ),
      items: z
        .int()
        .min(2)
        .max(1_000_000)
        .default(50)
        .describe(
          'Items of that end, K of SEvo’s Algorithm 4. Default 50. More counts more transitions, older or later ones.',
        ),
      pathLength: z
        .int()
        .min(1)
        .max(1000)
        .default(1)
        .describe(
          'Greatest distance of two items of a sequence that are related, H. Default 1: those next to each other. More relates more items, less closely.',
        ),
      weighting: z
        .enum(['distance', 'frequency'])
        .default('distance')
        .describe(
          'What a pair at distance h adds: distance 1 / h, frequency 1. Default distance; the same where pathLength is 1.',
        ),
      neighbours: z
        .int()
        .min(1)
        .max(100_000)
        .default(20)
        .describe(
          'Nearest neighbours of each item in the graph of neighbours. Default 20. More joins less similar items.',
        ),
      similarity: z
        .enum(['jaccard', 'cosine', 'inverse-frequency'])
        .default('jaccard')
        .describe('Similarity of the users of two items in the graph of neighbours. Default jaccard.'),
    })
    .prefault({})
    .describe('The graph over which variations are smoothed, from the training part alone.');

const smoothingParameters = (interactions: typeof interactionWeight) =>
  z
    .strictObject({
      form: z
        .enum(['rescaled', 'neumann', 'iterative', 'exact'])
        .default('rescaled')
        .describe(
          'rescaled: SEvo’s transformation (Eq. 7); neumann: without its rescaling (Eq. 6), which learns slower; iterative: Zhou’s, which can diverge for beta from 0.5; exact: the limit of many layers, which takes far longer. Default rescaled.',
        ),
      beta: z
        .number()
        .min(0)
        .lt(1)
        .default(0.99)
        .describe(
          'Strength of smoothing. Default 0.99. More makes related embeddings move alike; 0 smooths nothing, and adamw still corrects the moments.',
        ),
      layers: z
        .int()
        .min(0)
        .max(1000)
        .default(3)
        .describe(
          'Products with the graph in each step, L: how far smoothing reaches. Default 3. More comes nearer to exact, in proportionally more time; 0 smooths nothing, and adamw still corrects the moments. Not used by exact.',
        ),
      momentCorrection: z
        .boolean()
        .default(true)
        .describe(
          'Whether embeddings without gradient in a step go on as their running means expect (SEvo, Theorem 3). Default true. Only adamw does it.',
        ),
      epsilon: z
        .enum(['outside', 'inside'])
        .default('outside')
        .describe(
          'Where Adam’s epsilon is added for smoothed embeddings: outside the root (PyTorch, the authors’ code) or inside (as their algorithms print it). Default outside.',
        ),
      graph: graphParameters(interactions),
    })
    .describe(
      'SEvo: smooths each step’s change of the embeddings over a graph, so that related ones move alike. Left out, nothing is smoothed.',
    );

// made once: every program makes the schemas of all kinds when it starts
const OF_ITEMS = smoothingParameters(noInteractionWeight);
const OF_USERS_AND_ITEMS = smoothingParameters(interactionWeight);

/**
 * SEvo: what a kind that is trained by gradients does to the variation of its embeddings before each step, of items alone or
 * of users and items in one table.
 */
export const smoothingParametersOf = (rows: 'items' | 'users-and-items') =>
  rows === 'items' ? OF_ITEMS : OF_USERS_AND_ITEMS;

export type SmoothingParameters = z.output<ReturnType<typeof smoothingParametersOf>>;
