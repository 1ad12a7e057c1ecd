import * as z from 'zod/mini';

/** What the address of the page of sweeps holds. */
export const sweepsSearchSchema = z.object({ project: z.catch(z.optional(z.string()), undefined) });
