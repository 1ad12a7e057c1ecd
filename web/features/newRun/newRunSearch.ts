import * as z from 'zod/mini';

const text = z.catch(z.optional(z.string()), undefined);

/** What the address of the form holds: what to begin with. */
export const newRunSearchSchema = z.object({
  kind: text,
  preset: text,
  project: text,
  /** A run whose configuration the form begins with. */
  from: text,
});
