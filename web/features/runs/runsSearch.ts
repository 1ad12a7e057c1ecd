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
  /** Columns whose width was chosen, each with its pixels: `name:300`, as `writeList` writes them. */
  widths: text,
  /** How many columns from the first stay in sight while one scrolls sideways. */
  pinned: text,
  /** Columns whose cells are colored by their values. */
  shaded: text,
  /** Numbers of runs that stand above all others, as `writePins` writes them. */
  pins: text,
  /** Fields that runs are grouped by, as `writeList` writes them. */
  group: text,
  /** Which values groups are summed up over: `best`, or the metric at whose best step they are; else the last. */
  value: text,
  /** The group that the others are tested against. */
  baseline: text,
  /** The table alone without a word, the table beside its curves, or the curves alone. */
  layout: text,
  /** The table's part of the page beside curves, in percent. */
  share: text,
  /** The panels of curves as JSON, as `src/base/contracts/workspace.ts` describes them. */
  workspace: text,
  /** The name under which this browser keeps what would be too long for an address. */
  kept: text,
  /** The number of a saved view, over which all the rest goes; `none`: not even the project's default. */
  saved: text,
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
