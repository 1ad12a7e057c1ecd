import { z } from 'zod';
import type { ApiClient } from '../apiClient.ts';
import { metricValueSchema } from './metricValue.ts';

const direction = z.enum(['higher', 'lower']).nullable();

const comparisonSchema = z.object({
  runs: z.array(
    z.object({
      id: z.string(),
      number: z.number(),
      name: z.string(),
      seed: z.number(),
      state: z.string(),
      configuration: z.object({ hash: z.string(), kind: z.string(), datasetName: z.string().nullable() }),
    }),
  ),
  fields: z.array(z.object({ path: z.string(), values: z.array(z.unknown()), differs: z.boolean() })),
  metrics: z.array(
    z.object({
      name: z.string(),
      direction,
      final: z.array(metricValueSchema.nullable()),
      best: z.array(metricValueSchema.nullable()),
    }),
  ),
  groups: z.array(
    z.object({
      configuration: z.object({ hash: z.string() }),
      runIds: z.array(z.string()),
      seeds: z.array(z.number()),
      metrics: z.array(
        z.object({
          name: z.string(),
          direction,
          mean: metricValueSchema,
          standardDeviation: metricValueSchema.nullable(),
          n: z.number(),
        }),
      ),
    }),
  ),
});
export type Comparison = z.infer<typeof comparisonSchema>;

const QUERY = `query Compare($ids: [ID!]!) { compareRuns(ids: $ids) {
  runs { id number name seed state configuration { hash kind datasetName } }
  fields { path values differs }
  metrics { name direction final best }
  groups { configuration { hash } runIds seeds metrics { name direction mean standardDeviation n } }
} }`;

/** The runs side by side, in the order given. */
export async function fetchComparison(api: ApiClient, ids: readonly string[]): Promise<Comparison> {
  return (await api.request(QUERY, { ids }, z.object({ compareRuns: comparisonSchema }))).compareRuns;
}
