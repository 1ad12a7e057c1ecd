import { z } from 'zod';
import type { ApiClient } from '../apiClient.ts';
import { RUN_SUMMARY_FIELDS, runSummarySchema } from './runSummary.ts';

/** The members of EnqueueRunsInput that the command line sets. */
export interface EnqueueInput {
  kind: string;
  project?: string;
  preset?: string;
  parameters?: Record<string, unknown>;
  dataset?: Record<string, unknown>;
  seeds?: number[];
  priority?: number;
  tags?: string[];
  name?: string;
  maxAttempts?: number;
  inputs?: { name: string; runId: string; artifactName: string }[];
}

const MUTATION = `mutation Enqueue($input: EnqueueRunsInput!) { enqueueRuns(input: $input) {
  ${RUN_SUMMARY_FIELDS} warnings
} }`;

/** What the API answers of a run that it has queued. */
export const queuedRunSchema = z.object({ ...runSummarySchema.shape, warnings: z.array(z.string()) });
/** A run, and what will probably keep it from succeeding. */
export type QueuedRun = z.infer<typeof queuedRunSchema>;

/** Queues one run per seed. */
export async function enqueueRuns(api: ApiClient, input: EnqueueInput): Promise<QueuedRun[]> {
  const answer = await api.request(MUTATION, { input }, z.object({ enqueueRuns: z.array(queuedRunSchema) }));
  return answer.enqueueRuns;
}
