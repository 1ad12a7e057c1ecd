import {
  CompareDocument,
  type CompareQuery,
  type CompareQueryVariables,
  PairedTestsDocument,
  type PairedTestsQuery,
  type PairedTestsQueryVariables,
} from '#src/generated/api.ts';
import type { ApiClient } from '#src/base/terminal/apiClient.ts';

export type Comparison = CompareQuery['compareRuns'];
export type MetricTests = PairedTestsQuery['compareRuns']['pairedTests'][number];
/** Which value of each run counts; without it the one that stands for the metric. */
export type ValueChoice = Omit<CompareQueryVariables, 'ids'>;
/** Which metrics (without any the primary ones of the kinds), against which run's configuration, over seeds or users. */
export type PairedTestsRequest = Omit<PairedTestsQueryVariables, 'ids'>;

/** The runs side by side, in the order given. */
export async function fetchComparison(
  api: ApiClient,
  ids: readonly string[],
  value: ValueChoice = {},
): Promise<Comparison> {
  return (await api.request(CompareDocument, { ids: [...ids], ...value })).compareRuns;
}

/** Each configuration among the runs against the baseline, metric by metric. */
export async function fetchPairedTests(
  api: ApiClient,
  ids: readonly string[],
  request: PairedTestsRequest,
): Promise<MetricTests[]> {
  return (await api.request(PairedTestsDocument, { ids: [...ids], ...request })).compareRuns.pairedTests;
}
