import { useQuery } from '@tanstack/react-query';
import { LineageDocument, type LineageQuery } from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';

export type Lineage = LineageQuery['lineage'];

const LIVE_MS = 10_000;

/** What a run was made from and what was made from it; read again now and then while the run goes on. */
export function useLineage(runId: string, live: boolean) {
  return useQuery({
    queryKey: ['lineage', runId],
    queryFn: async ({ signal }) => (await request(LineageDocument, { runId }, signal)).lineage,
    refetchInterval: live ? LIVE_MS : false,
  });
}
