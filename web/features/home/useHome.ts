import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  AnyRunChangedDocument,
  type HomeBundleFragment,
  HomeDocument,
  type HomeQuery,
  type HomeRunFragment,
} from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';
import { subscribe } from '#web/api/subscribe.ts';

export type HomeFacts = HomeQuery;
export type HomeRun = HomeRunFragment;
/** A run, or all runs of one sweep or one study that a list has. */
export type HomeBundle = HomeBundleFragment;
export type HomeProject = HomeQuery['projects']['edges'][number]['node'];

/** Changes bring a new reading, at most this often. */
const REFRESH_MS = 3_000;
/** Heartbeats of workers send no events. */
const POLL_MS = 15_000;
const MOST_PROJECTS = 200;

/** What failed, and what ended otherwise, since a time: filters of the runs table. */
export function endedSince(since: string): { failed: string; ended: string } {
  return {
    failed: `state in (FAILED, CRASHED) and ended > "${since}"`,
    ended: `state in (SUCCEEDED, PRUNED, CANCELLED) and ended > "${since}"`,
  };
}

/** The state of everything, ends counted since a time; read again when runs change. */
export function useHome(since: string) {
  const queryClient = useQueryClient();
  const query = useQuery({
    queryKey: ['home', since],
    queryFn: ({ signal }) => {
      const filters = endedSince(since);
      const variables = { since, failedFilter: filters.failed, endedFilter: filters.ended, projects: MOST_PROJECTS };
      return request(HomeDocument, variables, signal);
    },
    refetchInterval: POLL_MS,
    placeholderData: keepPreviousData,
  });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void queryClient.invalidateQueries({ queryKey: ['home'] });
      }, REFRESH_MS);
    };
    const stop = subscribe(AnyRunChangedDocument, () => ({}), { onData: refresh, onReconnect: refresh });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [queryClient]);
  return query;
}
