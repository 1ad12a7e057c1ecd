import * as z from 'zod/mini';

const text = z.catch(z.optional(z.string()), undefined);

/** What the address of the runs table holds, so that a view can be shared as a link. */
export const runsSearchSchema = z.object({
  project: text,
  filter: text,
  /** Sort key in the API's words: `number`, `metric."test/ndcg@10"`, `config.sigmaW`. */
  order: text,
  direction: z.catch(z.optional(z.enum(['asc', 'desc'])), undefined),
  /** Columns shown, as `writeList` writes them. */
  columns: text,
  /** `bin` is what addresses of earlier versions call the trash. */
  view: z.catch(
    z.optional(
      z.pipe(
        z.enum(['trash', 'replicates', 'bin']),
        z.transform((view) => (view === 'bin' ? 'trash' : view)),
      ),
    ),
    undefined,
  ),
});

export type RunsSearch = z.infer<typeof runsSearchSchema>;
