import { z } from 'zod';

/** Parameter of kinds that train epoch by epoch. */
export const checkpointEvery = z
  .int()
  .min(0)
  .max(100_000)
  .default(10)
  .describe(
    'Epochs between checkpoints, from which an interrupted run goes on; 0 for none. Default 10. More writes less and loses more.',
  );
