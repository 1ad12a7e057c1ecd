import { z } from 'zod';
import { WarrenError } from '#src/contracts/errors.ts';
import type { ApiClient } from '../apiClient.ts';
import { metricValueSchema } from './metricValue.ts';
import { RUN_SUMMARY_FIELDS, runSummarySchema } from './runSummary.ts';

const time = z.string().transform((text) => new Date(text));

const runDetailSchema = z.object({
  ...runSummarySchema.shape,
  notes: z.string(),
  priority: z.number(),
  cancelRequested: z.boolean(),
  environment: z.record(z.string(), z.unknown()),
  deletedAt: time.nullable(),
  sweep: z.object({ number: z.number(), name: z.string() }).nullable(),
  sweepTrial: z.number().nullable(),
  lastHeardAt: time.nullable(),
  leaseSeconds: z.number().nullable(),
  gpus: z.array(z.number()),
  warnings: z.array(z.string()),
  worker: z.object({ name: z.string() }).nullable(),
  error: z.object({ code: z.string(), message: z.string(), stack: z.string().nullable() }).nullable(),
  attempts: z.array(
    z.object({
      number: z.number(),
      state: z.string(),
      workerName: z.string(),
      backend: z.string().nullable(),
      device: z.string().nullable(),
      resumedFromStep: z.number().nullable(),
      errorMessage: z.string().nullable(),
      startedAt: time,
      endedAt: time.nullable(),
    }),
  ),
  inputs: z.array(z.object({ name: z.string(), sourceRunId: z.string(), artifactName: z.string() })),
  metrics: z.array(
    z.object({
      name: z.string(),
      direction: z.enum(['higher', 'lower']).nullable(),
      pointCount: z.number(),
      lastStep: z.number(),
      lastValue: metricValueSchema,
      minimum: metricValueSchema.nullable(),
      maximum: metricValueSchema.nullable(),
    }),
  ),
  events: z.array(z.object({ time, type: z.string(), message: z.string() })),
  artifacts: z.array(
    z.object({
      name: z.string(),
      role: z.string(),
      mediaType: z.string(),
      sha256: z.string(),
      sizeBytes: z.number(),
      url: z.string(),
    }),
  ),
});
export type RunDetail = z.infer<typeof runDetailSchema>;

const QUERY = `query Run($id: ID!) { run(id: $id) {
  ${RUN_SUMMARY_FIELDS.replace('error { code message }', 'error { code message stack }')}
  notes priority cancelRequested environment deletedAt sweep { number name } sweepTrial lastHeardAt leaseSeconds gpus warnings worker { name }
  attempts { number state workerName backend device resumedFromStep errorMessage startedAt endedAt }
  inputs { name sourceRunId artifactName }
  metrics { name direction pointCount lastStep lastValue minimum maximum }
  events { time type message }
  artifacts { name role mediaType sha256 sizeBytes url }
} }`;

/** Everything about one run, but for its points and its log. Throws NOT_FOUND. */
export async function fetchRunDetail(api: ApiClient, id: string): Promise<RunDetail> {
  const { run } = await api.request(QUERY, { id }, z.object({ run: runDetailSchema.nullable() }));
  if (run === null)
    throw new WarrenError('NOT_FOUND', `there is no run ${id}; \`warren ls\` lists those that there are`);
  return run;
}
