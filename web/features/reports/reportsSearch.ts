import * as z from 'zod/mini';

const text = z.catch(z.optional(z.string()), undefined);

/** What the address of the list of reports holds. */
export const reportsSearchSchema = z.object({ project: text, view: z.catch(z.optional(z.enum(['trash'])), undefined) });

/** What the address of a report holds: an older version, with today's runs or those of then, and whether it is edited. */
export const reportSearchSchema = z.object({
  version: z.catch(z.optional(z.string().check(z.regex(/^[1-9]\d{0,8}$/))), undefined),
  runs: z.catch(z.optional(z.enum(['today'])), undefined),
  edit: z.catch(z.optional(z.enum(['yes'])), undefined),
});

/** What a new report is about: compared runs as Compare has them, or the runs of a table. */
export const newReportSearchSchema = z.object({
  project: text,
  filter: text,
  /** Fields that they are grouped by, and metrics, as `writeList` writes them. */
  group: text,
  metrics: text,
  /** Compared runs, as `writeList` writes them. */
  runs: text,
  baseline: text,
  tested: text,
  pairs: text,
});
export type NewReportSearch = z.infer<typeof newReportSearchSchema>;
