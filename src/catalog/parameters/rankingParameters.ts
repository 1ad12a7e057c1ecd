import { z } from 'zod';

/** Parameters that every kind shares which ranks all items for each user. */
export const rankingParameters = {
  cutoffs: z
    .array(z.int().min(1).max(1000))
    .min(1)
    .max(10)
    .default([5, 10])
    .describe(
      'Cut-offs N of test/mrr@N, test/ndcg@N and test/hr@N, in items, 1 to 1000. Default 5 and 10. A larger N counts hits further down the list.',
    ),
  excludeSeen: z
    .boolean()
    .default(false)
    .describe(
      "Leave the items of the user's own history out of the ranking (the target never is). Default false: all items are ranked, as in OverRec. True raises every metric on data where users seldom repeat an item.",
    ),
  seenItems: z
    .enum(['training-and-validation', 'training'])
    // Not a default: it came later, and configurations that do not name it keep their hash.
    .optional()
    .meta({ default: 'training-and-validation' })
    .describe(
      "Which items count as seen when excludeSeen is true: those of the user's training part alone, or the validation item too. Left out, training-and-validation. The papers differ.",
    ),
};
