import { z } from 'zod';
import { type TrainedDefaults, trainedParameters } from './trainedParameters.ts';

/** Parameters that the networks of LEPORID share, which score items for a user at a moment. */
export function interactionParameters(defaults: TrainedDefaults & { negatives: number }) {
  return {
    dimension: z
      .int()
      .min(1)
      .max(4096)
      .default(64)
      .describe(
        'Length of the embeddings of users and items. Default 64. More can fit more and takes more time and memory.',
      ),
    negatives: z
      .int()
      .min(1)
      .max(1000)
      .default(defaults.negatives)
      .describe(
        `Items drawn against each that came, uniformly from those that the user does not train on. Default ${defaults.negatives}. More tells items apart more sharply, in more time.`,
      ),
    ...trainedParameters(defaults),
  };
}

/** How many of a user's last items a network looks back at. */
export const recentParameter = z
  .int()
  .min(1)
  .max(200)
  .default(5)
  .describe('Last items of the user that it looks back at. Default 5. More remembers longer, in more time.');
