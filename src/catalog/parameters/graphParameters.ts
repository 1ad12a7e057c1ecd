import { z } from 'zod';

/** Parameters that networks over the graph of users and items share. */
export const graphParameters = {
  dimension: z
    .int()
    .min(1)
    .max(1024)
    .default(64)
    .describe('Length of the user and item embeddings. Default 64. More can fit more and takes proportionally longer.'),
};

/** λ, weight of the squared norms of the nodes of a triple. */
export const regularizationParameter = (initial: number, of: string) =>
  z
    .number()
    .min(0)
    .max(10)
    .default(initial)
    .describe(
      `λ, weight of the squared norms of the ${of} of each sampled triple. Default ${initial}. More keeps embeddings smaller.`,
    );
