import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { PairedTestsDocument, type PairedTestsQuery } from '../generated/graphql.ts';
import { request } from './request.ts';

export type MetricTests = PairedTestsQuery['compareRuns']['pairedTests'][number];
export type ConfigurationTest = MetricTests['tests'][number];

export interface PairedTestsInput {
  ids: readonly string[];
  /** Primary metrics of the kinds where it is null. */
  metrics: readonly string[] | null;
  /** Id of a run of the baseline. */
  baseline: string;
  perUser: boolean;
}

/** Each configuration against the baseline. Read anew with the comparison of the same runs, whose key begins its own. */
export function usePairedTests({ ids, metrics, baseline, perUser }: PairedTestsInput, enabled: boolean) {
  return useQuery({
    queryKey: ['comparison', ids, 'tests', { metrics, baseline, perUser }],
    queryFn: async ({ signal }) => {
      const variables = { ids: [...ids], metrics: metrics === null ? null : [...metrics], baseline, perUser };
      const { compareRuns } = await request(PairedTestsDocument, variables, signal);
      // What was paired stays with the answer, which is shown until the next one is there.
      return { tests: compareRuns.pairedTests, perUser };
    },
    enabled,
    placeholderData: keepPreviousData,
  });
}
