import { z } from 'zod';
import type { ApiClient } from '../apiClient.ts';
import { metricValueSchema } from './metricValue.ts';

const testSchema = z.object({
  method: z.enum(['paired', 'welch']),
  difference: metricValueSchema,
  low: metricValueSchema,
  high: metricValueSchema,
  t: metricValueSchema,
  df: z.number(),
  p: z.number(),
  pBetter: z.number().nullable(),
  wilcoxon: z
    .object({ w: z.number(), n: z.number(), exact: z.boolean(), p: z.number(), pBetter: z.number().nullable() })
    .nullable(),
});

const metricTestsSchema = z.object({
  name: z.string(),
  direction: z.enum(['higher', 'lower']).nullable(),
  baselineHash: z.string(),
  tests: z.array(
    z.object({
      configurationHash: z.string(),
      mean: metricValueSchema.nullable(),
      baselineMean: metricValueSchema.nullable(),
      n: z.number(),
      seeds: z.array(z.number()),
      differences: z.array(metricValueSchema),
      test: testSchema.nullable(),
      pHolm: z.number().nullable(),
      wilcoxonHolm: z.number().nullable(),
      reason: z.string().nullable(),
    }),
  ),
});
export type MetricTests = z.infer<typeof metricTestsSchema>;

export interface PairedTestsQuery {
  /** The primary metrics of the kinds where there is none. */
  metrics: readonly string[] | null;
  /** A run of the baseline; the first where it is null. */
  baseline: string | null;
  perUser: boolean;
}

const QUERY = `query PairedTests($ids: [ID!]!, $metrics: [String!], $baseline: ID, $perUser: Boolean) {
  compareRuns(ids: $ids) { pairedTests(metrics: $metrics, baseline: $baseline, perUser: $perUser) {
    name direction baselineHash tests {
      configurationHash mean baselineMean n seeds differences pHolm wilcoxonHolm reason
      test { method difference low high t df p pBetter wilcoxon { w n exact p pBetter } }
    }
  } }
}`;

/** Each configuration among the runs against the baseline, metric by metric. */
export async function fetchPairedTests(
  api: ApiClient,
  ids: readonly string[],
  query: PairedTestsQuery,
): Promise<MetricTests[]> {
  const answer = z.object({ compareRuns: z.object({ pairedTests: z.array(metricTestsSchema) }) });
  return (await api.request(QUERY, { ids, ...query }, answer)).compareRuns.pairedTests;
}
