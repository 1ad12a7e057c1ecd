import * as z from 'zod/mini';

/** What the address of a list of one project or of all holds. */
export const projectSearchSchema = z.object({ project: z.catch(z.optional(z.string()), undefined) });
