import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { SweepChangedDocument, type SweepRowFragment, SweepsDocument } from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';
import { subscribe } from '#web/api/subscribe.ts';

export type SweepRow = SweepRowFragment;

const PAGE_SIZE = 50;
/** New sweeps are looked for this often; those under way tell of themselves. */
const POLL_MS = 10_000;
/** So many that go on are followed, the newest. */
const MOST_FOLLOWED = 20;

/** Sweeps of a project or of all, newest first; those under way are kept current by `sweepChanged`. */
export function useSweeps(project: string | null) {
  const queryClient = useQueryClient();
  const key = useMemo(() => ['sweeps', project] as const, [project]);
  const query = useInfiniteQuery({
    queryKey: key,
    initialPageParam: null as number | null,
    queryFn: async ({ pageParam, signal }) =>
      (await request(SweepsDocument, { project, first: PAGE_SIZE, before: pageParam }, signal)).sweeps,
    getNextPageParam: (page) => (page.length < PAGE_SIZE ? null : (page.at(-1)?.number ?? null)),
    refetchInterval: POLL_MS,
  });
  const sweeps = useMemo(() => query.data?.pages.flat() ?? [], [query.data]);
  const followed = sweeps
    .filter(({ endedAt }) => endedAt === null)
    .slice(0, MOST_FOLLOWED)
    .map(({ id }) => id)
    .join(' ');

  useEffect(() => {
    const stops = followed.split(' ').map((id) =>
      id === ''
        ? () => {}
        : subscribe(SweepChangedDocument, () => ({ id }), {
            onData: ({ sweepChanged }) =>
              queryClient.setQueryData<typeof query.data>(key, (data) =>
                data === undefined
                  ? data
                  : {
                      ...data,
                      pages: data.pages.map((page) => page.map((row) => (row.id === id ? sweepChanged : row))),
                    },
              ),
            onReconnect: () => void queryClient.invalidateQueries({ queryKey: key }),
          }),
    );
    return () => {
      for (const stop of stops) stop();
    };
  }, [followed, key, queryClient]);

  return { ...query, sweeps };
}
