import { z } from 'zod';
import { MOST_PINNED_RUNS } from './pinnedRuns.ts';
import { workspaceSchema } from './workspace.ts';

/** A column of a saved view, in the order of the table. */
const viewColumnSchema = z.object({
  /** As the table names it: `state`, `metric."test/ndcg@10"`, `config.parameters.dimension`. */
  name: z.string().min(1).max(600),
  /** Pixels; null: the usual. */
  width: z.int().min(40).max(2_000).nullable().default(null),
  /** Stays in sight while one scrolls sideways; such columns come first. */
  pinned: z.boolean().default(false),
  /** Its cells are colored by their values. */
  shaded: z.boolean().default(false),
});
export type ViewColumn = z.infer<typeof viewColumnSchema>;

const MOST_COLUMNS = 2_000;

/** What a saved view holds; a member that is left out is as in the table that nobody changed. */
export const viewSettingsSchema = z.object({
  filter: z.string().default(''),
  /** A sort key of the API. */
  orderBy: z.string().default('number'),
  direction: z.enum(['ASC', 'DESC']).default('DESC'),
  /** Null: the usual columns, which depend on what runs there are. */
  columns: z.array(viewColumnSchema).max(MOST_COLUMNS).nullable().default(null),
  /** Numbers of runs that stand above all others, whatever the filter says. */
  pinnedRuns: z.array(z.int().min(1)).max(MOST_PINNED_RUNS).default([]),
  /** Fields that runs are grouped by; none: they are not. */
  groupBy: z.array(z.string()).default([]),
  /** Which value of each run groups are summed up over: `best`, or a metric at whose best step it is; null: the last. */
  values: z.string().max(600).nullable().default(null),
  /** Id of the group that the others are tested against. */
  baseline: z.string().max(20_000).nullable().default(null),
  /** The table alone, the table beside its curves, or the curves alone. */
  layout: z.enum(['TABLE', 'SPLIT', 'CURVES']).default('TABLE'),
  /** The table's part of the page where curves stand beside it, in percent. */
  tableShare: z.int().min(15).max(85).default(45),
  /** The panels of curves; null: as nobody changed them. */
  workspace: z.union([workspaceSchema, z.null()]).default(null),
});
export type ViewSettings = z.infer<typeof viewSettingsSchema>;
