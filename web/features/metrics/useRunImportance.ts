import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { RunImportanceDocument } from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';

/** How much of a metric's variance each parameter explains by itself, over some runs; asked while the panel is in sight. */
export function useRunImportance(runIds: readonly string[], metric: string, enabled: boolean) {
  return useQuery({
    queryKey: ['runImportance', runIds, metric],
    queryFn: async ({ signal }) =>
      (await request(RunImportanceDocument, { runIds: [...runIds], metric }, signal)).runImportance,
    enabled: enabled && runIds.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}
