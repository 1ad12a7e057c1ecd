import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  type GroupMetricInput,
  GroupRunsDocument,
  type GroupRowFragment,
  type RunGroupOrder,
  RunGroupsDocument,
  RunsTouchedDocument,
  UnlikeDataDocument,
} from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';
import { subscribe } from '#web/api/subscribe.ts';

export type RunGroupRow = GroupRowFragment;

export interface RunGroupsInput {
  project: string | null;
  filter: string;
  inTrash: boolean;
  groupBy: string[];
  metrics: GroupMetricInput[];
  orderBy: RunGroupOrder | null;
  /** Id of a group that the others are tested against. */
  baseline: string | null;
}

const PAGE_SIZE = 100;
/** All matching runs are read each time, so not more often than this while they change. */
const REFRESH_MS = 4_000;

/** Groups of all runs that match, page by page; read anew now and then while runs change. */
export function useRunGroups(input: RunGroupsInput) {
  const queryClient = useQueryClient();
  const query = useInfiniteQuery({
    queryKey: ['runGroups', input],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      request(
        RunGroupsDocument,
        { ...input, filter: input.filter === '' ? null : input.filter, first: PAGE_SIZE, after: pageParam },
        signal,
      ),
    getNextPageParam: ({ runGroups }) => (runGroups.pageInfo.hasNextPage ? runGroups.pageInfo.endCursor : null),
    placeholderData: keepPreviousData,
  });
  const { project } = input;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void queryClient.invalidateQueries({ queryKey: ['runGroups'] });
        void queryClient.invalidateQueries({ queryKey: ['groupRuns'] });
      }, REFRESH_MS);
    };
    const stop = subscribe(RunsTouchedDocument, () => ({ project }), { onData: refresh, onReconnect: refresh });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [project, queryClient]);
  return query;
}

/** The runs of one group with the last values of some metrics, by seed, 200 at most. */
export function useGroupRuns(
  input: Pick<RunGroupsInput, 'project' | 'filter' | 'inTrash'> & { group: string; metrics: string[] },
) {
  return useQuery({
    queryKey: ['groupRuns', input],
    queryFn: ({ signal }) =>
      request(GroupRunsDocument, { ...input, filter: input.filter === '' ? null : input.filter }, signal),
    placeholderData: keepPreviousData,
  });
}

/** The metrics whose runs saw different data, so that their means do not compare, and in what these differ. */
export function useUnlikeData({ project, filter, inTrash, metrics }: RunGroupsInput) {
  const names = metrics.map(({ name }) => name);
  return useQuery({
    queryKey: ['unlike data', { project, filter, inTrash, names }],
    queryFn: async ({ signal }) => {
      const variables = { project, filter: filter === '' ? null : filter, inTrash, metrics: names };
      return (await request(UnlikeDataDocument, variables, signal)).unlikeData;
    },
    enabled: names.length > 0,
    staleTime: REFRESH_MS,
  });
}
