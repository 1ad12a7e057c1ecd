import { useQuery } from '@tanstack/react-query';
import { ProjectStorageDocument, StorageDocument, type StorageQuery } from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';

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

/** What the artifacts of the largest projects take, read again every minute. */
export function useProjectStorage() {
  return useQuery({
    queryKey: ['storage', 'projects'],
    queryFn: async ({ signal }) => (await request(ProjectStorageDocument, {}, signal)).projectStorage,
    refetchInterval: 6 * POLL_MS,
  });
}
