import * as z from 'zod/mini';

const text = z.catch(z.optional(z.string()), undefined);

/** What the address of the form holds: what to begin with. */
export const newSweepSearchSchema = z.object({
  kind: text,
  preset: text,
  project: text,
  /** `file` for the form that takes a sweep file, `program` for that over a program of the user's own. */
  from: text,
  /** Number or id of the run whose program that form begins with. */
  run: text,
});
