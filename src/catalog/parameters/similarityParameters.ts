import { z } from 'zod';

const METHODS = ['cosine', 'jaccard', 'dice'] as const;

const WORDS =
  'How alike two sets are, what they have in common over: cosine, the root of the product of their sizes; jaccard, the size of their union; dice, the mean of their sizes.';

/** The similarity of nearest neighbours, with this default. */
export function similarityParameter(initial: (typeof METHODS)[number]) {
  return z.enum(METHODS).default(initial).describe(`${WORDS} Default ${initial}.`);
}

/** As `similarityParameter('cosine')`, for a kind whose configurations came before it and keep their hash. */
export const laterSimilarityParameter = z
  .enum(METHODS)
  .optional()
  .meta({ default: 'cosine' })
  .describe(`${WORDS} Left out, cosine.`);
