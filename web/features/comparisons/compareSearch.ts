import * as z from 'zod/mini';

const text = z.catch(z.optional(z.string()), undefined);

/** What the address of a comparison holds: the runs, by number or id, and how they are shown. */
export const compareSearchSchema = z.object({
  runs: text,
  /** `all` shows configuration fields that do not differ, too. */
  fields: z.catch(z.optional(z.enum(['all'])), undefined),
  /** Number or id of a run of the baseline of the tests. */
  baseline: text,
  /** `best`, or a metric at whose best step the values are; without it the value that stands for a metric. */
  value: text,
  /** Metrics that are tested, as a list. */
  tested: text,
  /** What is paired; without a word seeds, or users where runs of one seed each have them. */
  pairs: z.catch(z.optional(z.enum(['seeds', 'users'])), undefined),
  /** `replicates` draws mean and deviation of runs that share a configuration; without a word where all configurations have several. */
  curves: z.catch(z.optional(z.enum(['replicates', 'runs'])), undefined),
});

export type CompareSearch = z.infer<typeof compareSearchSchema>;
