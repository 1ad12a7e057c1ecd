import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { RunsDocument } from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';
import type { RunRow, RunsQueryInput } from './useRuns.ts';

/** What a table of runs shows, in its order. */
export type MatchingRuns = Pick<RunsQueryInput, 'project' | 'filter' | 'orderBy' | 'direction' | 'inTrash'>;

const PLAIN = { metrics: [], withNotes: false, withHeadline: false, withTexts: false };

/** The runs of one page of all that match, without their metrics; null until they are read. Pages before it are read on the way. */
export function useRunPage(
  { filter, orderBy, direction, ...matching }: MatchingRuns,
  { page, size, enabled }: { page: number; size: number; enabled: boolean },
): { runs: readonly RunRow[] | null; error: Error | null } {
  const query = useInfiniteQuery({
    queryKey: ['run pages', { ...matching, filter, orderBy, direction, size }],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const order = { by: orderBy, direction };
      const asked = { ...matching, ...PLAIN, filter: filter === '' ? null : filter, orderBy: order, first: size };
      return (await request(RunsDocument, { ...asked, after: pageParam }, signal)).runs;
    },
    getNextPageParam: ({ pageInfo }) => (pageInfo.hasNextPage ? pageInfo.endCursor : null),
    enabled,
  });
  const { data, hasNextPage, isFetching, fetchNextPage } = query;
  const read = data?.pages.length ?? 0;
  useEffect(() => {
    if (enabled && page >= read && hasNextPage && !isFetching) void fetchNextPage();
  }, [enabled, page, read, hasNextPage, isFetching, fetchNextPage]);
  return { runs: data?.pages[page]?.edges.map(({ node }) => node) ?? null, error: query.error };
}
