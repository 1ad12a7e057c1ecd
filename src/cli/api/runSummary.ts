import { z } from 'zod';
import { RUN_STATES } from '#src/contracts/runState.ts';
import { metricValueSchema } from './metricValue.ts';

const time = z.string().transform((text) => new Date(text));

export const metricSummarySchema = z.object({
  name: z.string(),
  direction: z.enum(['higher', 'lower']).nullable(),
  pointCount: z.number(),
  lastStep: z.number(),
  lastValue: metricValueSchema,
});
export type MetricSummary = z.infer<typeof metricSummarySchema>;

/** What tables and progress bars show of a run. */
export const runSummarySchema = z.object({
  id: z.string(),
  number: z.number(),
  name: z.string(),
  tags: z.array(z.string()),
  state: z.enum(RUN_STATES),
  seed: z.number(),
  attempt: z.number(),
  maxAttempts: z.number(),
  requiresGpu: z.boolean(),
  waitsFor: z.string().nullable(),
  progress: z.number(),
  progressMessage: z.string(),
  createdAt: time,
  startedAt: time.nullable(),
  endedAt: time.nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  project: z.object({ name: z.string() }),
  configuration: z.object({
    hash: z.string(),
    kind: z.string(),
    datasetName: z.string().nullable(),
    dataset: z.record(z.string(), z.unknown()).nullable(),
    parameters: z.record(z.string(), z.unknown()),
  }),
});
export type RunSummary = z.infer<typeof runSummarySchema>;

export const RUN_SUMMARY_FIELDS = `
  id number name tags state seed attempt maxAttempts requiresGpu waitsFor progress progressMessage
  createdAt startedAt endedAt
  error { code message } project { name }
  configuration { hash kind datasetName dataset parameters }
`;

export const METRIC_SUMMARY_FIELDS = 'name direction pointCount lastStep lastValue';
