import * as z from 'zod/mini';

export const RUN_TABS = [
  'overview',
  'metrics',
  'media',
  'log',
  'configuration',
  'artifacts',
  'lineage',
  'history',
  'environment',
] as const;
export type RunTab = (typeof RUN_TABS)[number];

/** What the address of a run's page holds. */
export const runSearchSchema = z.object({
  tab: z.catch(z.optional(z.enum(RUN_TABS)), undefined),
});
