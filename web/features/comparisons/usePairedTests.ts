import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { PairedTestsDocument, type PairedTestsQuery } from '#web/generated/graphql.ts';
import { valueChoice } from '#src/base/lib/valueRules.ts';
import { request } from '#web/api/request.ts';

export type MetricTests = PairedTestsQuery['compareRuns']['pairedTests'][number];
export type ConfigurationTest = MetricTests['tests'][number];

export interface PairedTestsInput {
  ids: readonly string[];
  /** Primary metrics of the kinds where it is null. */
  metrics: readonly string[] | null;
  /** Id of a run of the baseline. */
  baseline: string;
  perUser: boolean;
  /** Which value of each run counts; undefined: the one that stands for the metric. */
  value: string | undefined;
}

/** Each configuration against the baseline. Read anew with the comparison of the same runs, whose key begins its own. */
export function usePairedTests({ ids, metrics, baseline, perUser, value }: PairedTestsInput, enabled: boolean) {
  return useQuery({
    queryKey: ['comparison', ids, value ?? 'last', 'tests', { metrics, baseline, perUser }],
    queryFn: async ({ signal }) => {
      const variables = {
        ...{ ids: [...ids], ...valueChoice(value ?? 'last') },
        ...{ metrics: metrics === null ? null : [...metrics], baseline, perUser },
      };
      const { compareRuns } = await request(PairedTestsDocument, variables, signal);
      // What was paired stays with the answer, which is shown until the next one is there.
      return { tests: compareRuns.pairedTests, perUser };
    },
    enabled,
    placeholderData: keepPreviousData,
  });
}

export interface TestsWanted {
  /** There are two configurations. */
  enough: boolean;
  /** Over users instead of seeds; null: whichever says something. */
  wanted: boolean | null;
  /** Without a word it is over users, where these say something. */
  mayBeUsers: boolean;
}

/** The tests that were asked for; without a word those over seeds, or over users where only these say something. */
export function useChosenTests(
  input: Omit<PairedTestsInput, 'perUser'>,
  { enough, wanted, mayBeUsers: canBeUsers }: TestsWanted,
) {
  const mayBeUsers = wanted ?? canBeUsers;
  const overSeeds = usePairedTests({ ...input, perUser: false }, enough && wanted !== true);
  const overUsers = usePairedTests({ ...input, perUser: true }, enough && mayBeUsers);
  const saysSomething = overUsers.data?.tests.some(({ tests }) => tests.some(({ test }) => test != null)) === true;
  const perUser = wanted ?? (canBeUsers && saysSomething);
  const { data, error, refetch, isPlaceholderData } = perUser ? overUsers : overSeeds;
  const before = perUser ? overSeeds.data : overUsers.data;
  // what was shown before stays until the answer is there
  return data === undefined && error === null
    ? { perUser, data: before, error, refetch, isPlaceholderData: before !== undefined }
    : { perUser, data, error, refetch, isPlaceholderData };
}
