import { useQuery } from '@tanstack/react-query';
import { ServerDocument } from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';

/** What the server is, and what the caller may do. */
export function useServer() {
  return useQuery({
    queryKey: ['server'],
    queryFn: async ({ signal }) => (await request(ServerDocument, {}, signal)).server,
    staleTime: 60_000,
  });
}

/** Whether the caller may pause the queue and drain workers; false until known. */
export function useMayManageQueue(): boolean {
  return useServer().data?.mayManageQueue === true;
}

/** Whether the caller may change things; true until known. */
export function useMayWrite(): boolean {
  return useServer().data?.role !== 'READ';
}
