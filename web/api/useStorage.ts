import { useQuery } from '@tanstack/react-query';
import { StorageDocument, type StorageQuery } from '../generated/graphql.ts';
import { request } from './request.ts';

export type StorageFacts = StorageQuery['storage'];

const POLL_MS = 10_000;

/** Disk use of the artifact store, read again every ten seconds. */
export function useStorage() {
  return useQuery({
    queryKey: ['storage'],
    queryFn: async ({ signal }) => (await request(StorageDocument, {}, signal)).storage,
    refetchInterval: POLL_MS,
  });
}
