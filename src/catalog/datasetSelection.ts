import { z } from 'zod';

/** A dataset as part of a configuration: which one, how it is preprocessed, how it is split. */
export const datasetSelectionSchema = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(200)
    .regex(/^[A-Za-z0-9][A-Za-z0-9._/-]*$/, 'a dataset name has letters, digits and . _ / -')
    .describe('Name of a known dataset, or of a file in a folder of WARREN_DATA.'),
  core: z
    .int()
    .min(0)
    .max(1000)
    .default(0)
    .describe('Users and items with fewer interactions are removed until none is left; 0 keeps all.'),
  maximumUsers: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe('Keep only the first users of the file; item numbers stay. For quick tries.'),
  split: z
    .enum(['leave-one-out'])
    .default('leave-one-out')
    .describe('Last interaction of each user for testing, the one before it for validation, the others for training.'),
});
export type DatasetSelection = z.infer<typeof datasetSelectionSchema>;
