import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { ComparedRunChangedDocument, CompareRunsDocument, type CompareRunsQuery } from '#web/generated/graphql.ts';
import { valueChoice } from '#src/base/lib/valueRules.ts';
import { request } from '#web/api/request.ts';
import { subscribe } from '#web/api/subscribe.ts';

export type Comparison = CompareRunsQuery['compareRuns'];
export type ComparedRun = Comparison['runs'][number];

const REFRESH_MS = 1500;

/** The comparison of runs by id or number, read anew (at most every 1.5 s) when one of them changes. */
export function useComparison(ids: readonly string[], value?: string) {
  const queryClient = useQueryClient();
  const key = useMemo(() => ['comparison', ids, value ?? 'last'] as const, [ids, value]);
  const query = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) =>
      (await request(CompareRunsDocument, { ids: [...ids], ...valueChoice(value ?? 'last') }, signal)).compareRuns,
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  });
  const watched = JSON.stringify(query.data?.runs.map((run) => run.id) ?? []);

  useEffect(() => {
    const runIds = JSON.parse(watched) as string[];
    if (runIds.length === 0) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void queryClient.invalidateQueries({ queryKey: key });
      }, REFRESH_MS);
    };
    const stop = subscribe(ComparedRunChangedDocument, () => ({ ids: runIds }), {
      onData: refresh,
      onReconnect: refresh,
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [watched, key, queryClient]);

  return query;
}
