import { z } from 'zod';

/** What the address of the list of models says: what is shown, and a text that names have. */
export const modelsSearchSchema = z.object({
  type: z.enum(['model', 'dataset']).optional().catch(undefined),
  search: z.string().max(200).optional().catch(undefined),
});
