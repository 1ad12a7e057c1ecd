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
  /** Fields that runs are grouped by, as `writeList` writes them. */
  group: text,
  /** Which values groups are summed up over: `best`, or the metric at whose best step they are; else the last. */
  value: text,
  /** The group that the others are tested against. */
  baseline: text,
  /** `bin` is what addresses of earlier versions call the trash; their `replicates` are groups by all but the seed. */
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
