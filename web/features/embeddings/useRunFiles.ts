import { useQuery } from '@tanstack/react-query';
import { RunFilesDocument, type RunFilesQuery } from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';

export type RunFiles = NonNullable<RunFilesQuery['run']>;

/** Addresses of contents are good for an hour at least. */
const FRESH_MS = 45 * 60_000;

/** The files of a run by id or number, with addresses that a thread may read; null where there is no such run. */
export function useRunFiles(idOrNumber: string | null) {
  return useQuery({
    queryKey: ['run files', idOrNumber],
    queryFn: async ({ signal }) => (await request(RunFilesDocument, { id: idOrNumber ?? '' }, signal)).run,
    enabled: idOrNumber !== null && idOrNumber !== '',
    staleTime: FRESH_MS,
    // new addresses would have everything read and computed again that is in sight
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
