import { useInfiniteQuery, useQueries } from '@tanstack/react-query';
import {
  RunMediaDocument,
  type RunMediaQuery,
  RunMediaSeriesDocument,
  type RunMediaSeriesQuery,
} from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';

type MediaOverview = NonNullable<RunMediaSeriesQuery['run']>;
export type MediaSeries = MediaOverview['mediaSeries'][number];
export type ShownArtifact = MediaOverview['artifacts'][number];
export type Media = NonNullable<RunMediaQuery['run']>['media'][number];

const LIVE_MS = 5_000;
const PAGE = 200;
/** Addresses of contents are good for an hour at least. */
const FRESH_MS = 45 * 60_000;

/** What each of the runs has to look at, and its files; read again every few seconds while one of them goes on. */
export function useMediaSeries(runIds: readonly string[], live: boolean) {
  return useQueries({
    queries: runIds.map((id) => ({
      queryKey: ['media series', id],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await request(RunMediaSeriesDocument, { id }, signal)).run,
      refetchInterval: live ? LIVE_MS : FRESH_MS,
    })),
  });
}

/** What a run logged under a name from one step to another, both inclusive, page by page. */
export function useMedia(runId: string, name: string, [fromStep, toStep]: readonly [number, number]) {
  return useInfiniteQuery({
    queryKey: ['media', runId, name, fromStep, toStep],
    queryFn: async ({ signal, pageParam }) => {
      const variables = { id: runId, names: [name], fromStep, toStep, first: PAGE, after: pageParam };
      return (await request(RunMediaDocument, variables, signal)).run?.media ?? [];
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last.length < PAGE ? null : last.at(-1)!.id),
    staleTime: FRESH_MS,
  });
}
