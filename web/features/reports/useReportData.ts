import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  CompareRunsDocument,
  type GroupMetricInput,
  PairedTestsDocument,
  type ReportRunsQuery,
  ReportRunsDocument,
  type RunGroupOrder,
  RunGroupsDocument,
  type SortDirection,
} from '#web/generated/graphql.ts';
import { isLive } from '#web/lib/runStates.ts';
import { request } from '#web/api/request.ts';

// A report may have dozens of figures: they ask again while runs are under way instead of following each by a subscription.

export type ReportRun = ReportRunsQuery['runs']['edges'][number]['node'];

const LIVE_MS = 5_000;
/** Groups change with runs that nobody here knows of. */
const GROUPS_MS = 15_000;
const STALE_MS = 4_000;

export interface ReportRunsInput {
  project: string | null;
  filter: string;
  orderBy: { by: string; direction: SortDirection };
  first: number;
  metrics: readonly string[];
}

/** The runs that a block or the citations show; null: nothing is asked. */
export function useReportRuns(input: ReportRunsInput | null) {
  return useQuery({
    queryKey: ['report data', 'runs', input],
    queryFn: async ({ signal }) => {
      if (input === null) return { runs: [], totalCount: 0 };
      const variables = { ...input, filter: input.filter === '' ? null : input.filter, metrics: [...input.metrics] };
      const { runs } = await request(ReportRunsDocument, variables, signal);
      return { runs: runs.edges.map(({ node }) => node), totalCount: runs.totalCount };
    },
    enabled: input !== null,
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
    refetchInterval: ({ state: { data } }) => (data?.runs.some(({ state }) => isLive(state)) ? LIVE_MS : false),
  });
}

export interface ReportGroupsInput {
  project: string | null;
  filter: string;
  groupBy: readonly string[];
  metrics: readonly GroupMetricInput[];
  orderBy: RunGroupOrder | null;
  baseline: string | null;
  first: number;
}

/** The groups that a block shows; null: nothing is asked. */
export function useReportGroups(input: ReportGroupsInput | null) {
  return useQuery({
    queryKey: ['report data', 'groups', input],
    queryFn: async ({ signal }) => {
      if (input === null) return null;
      const { filter, groupBy, metrics, ...rest } = input;
      const variables = { ...rest, filter: filter === '' ? null : filter, inTrash: false, after: null };
      const lists = { groupBy: [...groupBy], metrics: [...metrics] };
      return (await request(RunGroupsDocument, { ...variables, ...lists }, signal)).runGroups;
    },
    enabled: input !== null,
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
    refetchInterval: GROUPS_MS,
  });
}

export interface ReportComparisonInput {
  ids: readonly string[];
  metrics: readonly string[] | null;
  baseline: string | null;
  perUser: boolean;
  /** Whether tests are made. */
  tested: boolean;
}

/** A comparison with its tests. */
export function useReportComparison({ ids, metrics, baseline, perUser, tested }: ReportComparisonInput) {
  return useQuery({
    queryKey: ['report data', 'comparison', { ids, metrics, baseline, perUser, tested }],
    queryFn: async ({ signal }) => {
      const { compareRuns: comparison } = await request(CompareRunsDocument, { ids: [...ids] }, signal);
      if (!tested) return { comparison, tests: [] };
      const first = baseline ?? comparison.runs[0]?.id ?? '';
      const variables = { ids: [...ids], metrics: metrics === null ? null : [...metrics], baseline: first, perUser };
      const { compareRuns } = await request(PairedTestsDocument, variables, signal);
      return { comparison, tests: compareRuns.pairedTests };
    },
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
    refetchInterval: ({ state: { data } }) =>
      data?.comparison.runs.some(({ state }) => isLive(state)) ? LIVE_MS : false,
  });
}
