import { z } from 'zod';

/** What an import understood of one file. */
const importedFileSchema = z.object({
  file: z.string(),
  /** Of a split that the dataset comes with; `train` where it comes with none. */
  part: z.enum(['train', 'valid', 'test']),
  /** Users who have an interaction in it. */
  users: z.int(),
  /** The file of an archive that was read; null where the file is none. */
  member: z.string().nullable(),
  /** The layout, in words. */
  form: z.string(),
  /** Where each thing was found, in words. */
  columns: z.object({
    user: z.string(),
    item: z.string(),
    time: z.string().nullable(),
    rating: z.string().nullable(),
  }),
  /** The first interaction as it was read. */
  first: z.object({
    line: z.int(),
    user: z.string(),
    item: z.string(),
    time: z.string().nullable(),
    rating: z.number().nullable(),
  }),
  /** How the times are written, in words; null where nothing tells the order. */
  times: z.string().nullable(),
  span: z.object({ from: z.string(), to: z.string() }).nullable(),
  kept: z.int(),
  /** Rows that a condition left out. */
  leftOut: z.int(),
  /** Lines that could not be read. */
  skipped: z.object({ count: z.int(), first: z.array(z.object({ line: z.int(), reason: z.string() })) }),
  notes: z.array(z.string()),
});

/** What an import understood: printed at its end, kept beside the dataset, shown in the dashboard. */
export const importSummarySchema = z.object({
  files: z.array(importedFileSchema),
  users: z.int(),
  items: z.int(),
  interactions: z.int(),
  /** Interactions whose user has met the item before. */
  doubles: z.int(),
  greatestUser: z.object({ id: z.string(), interactions: z.int() }),
  /** Whether anything tells the order of a user's interactions. */
  ordered: z.boolean(),
});
export type ImportSummary = z.infer<typeof importSummarySchema>;
