import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { RunChangedDocument, RunDocument, type RunQuery } from '#web/generated/graphql.ts';
import { isLive } from '#web/lib/runStates.ts';
import { request } from '#web/api/request.ts';
import { subscribe } from '#web/api/subscribe.ts';

export type RunDetail = NonNullable<RunQuery['run']>;

/** While a run goes on, what the subscription does not carry (events, artifacts, metric names) is read this often at most. */
const REFRESH_MS = 2000;
const POLL_MS = 5000;

/** One run by id or number, its header kept current by `runChanged`. `null` data: there is no such run. */
export function useRun(idOrNumber: string) {
  const queryClient = useQueryClient();
  const query = useQuery({
    queryKey: ['run', idOrNumber],
    queryFn: async ({ signal }) => (await request(RunDocument, { id: idOrNumber }, signal)).run,
    // Names of new metrics, artifacts and events come with no hint of their own.
    refetchInterval: ({ state }) => (state.data && isLive(state.data.state) ? POLL_MS : false),
  });
  const id = query.data?.id;

  useEffect(() => {
    if (id === undefined) return;
    const key = ['run', idOrNumber];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = (delayMs: number) => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void queryClient.invalidateQueries({ queryKey: key });
      }, delayMs);
    };
    const stop = subscribe(RunChangedDocument, () => ({ id }), {
      onData: ({ runChanged }) => {
        const before = queryClient.getQueryData<RunDetail | null>(key);
        queryClient.setQueryData<RunDetail | null>(key, (run) => (run ? mergeHeader(run, runChanged) : run));
        const turned = before?.state !== runChanged.state || before?.attempt !== runChanged.attempt;
        refresh(turned ? 100 : REFRESH_MS);
      },
      onReconnect: () => refresh(0),
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [id, idOrNumber, queryClient]);

  return query;
}

function mergeHeader(
  run: RunDetail,
  header: Omit<Partial<RunDetail>, 'configuration' | 'error'> & Pick<RunHeaderParts, 'error'>,
): RunDetail {
  return {
    ...run,
    ...header,
    configuration: run.configuration,
    error: header.error === null ? null : { stack: run.error?.stack ?? null, ...header.error },
  };
}

interface RunHeaderParts {
  error: { code: string; message: string } | null;
}
