import { z } from 'zod';
import { metricSummarySchema, runSummarySchema } from '../api/runSummary.ts';

/** A run with the metrics that a list asks for. */
export const listedRunSchema = z.object({ ...runSummarySchema.shape, metrics: z.array(metricSummarySchema) });
export type ListedRun = z.infer<typeof listedRunSchema>;
