import { type InfiniteData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  AlertHistoryDocument,
  type AlertHistoryQuery,
  type AlertRowFragment,
  type AlertRuleRowFragment,
  AlertRulesDocument,
  AlertsChangedDocument,
  DeleteAlertRuleDocument,
  NewestAlertsDocument,
  SaveAlertRuleDocument,
  type SaveAlertRuleInput,
  TestAlertRuleDocument,
} from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';
import { subscribe } from '#web/api/subscribe.ts';

export type AlertRow = AlertRowFragment;
export type AlertRuleRow = AlertRuleRowFragment;
export type ToldAlert = AlertHistoryQuery['alerts'][number];
export type { SaveAlertRuleInput };

const NEWEST = ['alerts', 'newest'];
/** While a message is on its way, this often. */
const POLL_MS = 2_000;

/** The newest alerts of all projects, kept current. */
export function useNewestAlerts() {
  const queryClient = useQueryClient();
  const query = useQuery({
    queryKey: NEWEST,
    queryFn: async ({ signal }) => (await request(NewestAlertsDocument, {}, signal)).alerts,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const known = query.isSuccess;
  useEffect(() => {
    if (!known) return;
    return subscribe(AlertsChangedDocument, () => ({}), {
      onData: ({ alertsChanged }) => {
        queryClient.setQueryData(NEWEST, alertsChanged);
        void queryClient.invalidateQueries({ queryKey: ['alerts', 'history'] });
        void queryClient.invalidateQueries({ queryKey: ['alerts', 'rules'] });
      },
      onReconnect: () => void queryClient.invalidateQueries({ queryKey: ['alerts'] }),
    });
  }, [known, queryClient]);
  return query;
}

/** Alerts with what became of their messages, the newest first, page by page. */
export function useAlertHistory(project: string | null) {
  return useInfiniteQuery({
    queryKey: ['alerts', 'history', project],
    initialPageParam: null as number | null,
    queryFn: async ({ pageParam, signal }) =>
      (await request(AlertHistoryDocument, { project, before: pageParam }, signal)).alerts,
    getNextPageParam: (page) => (page.length < 30 ? null : (page.at(-1)?.number ?? null)),
    refetchInterval: ({ state: { data } }) => (isUnderWay(data) ? POLL_MS : false),
  });
}

function isUnderWay(data: InfiniteData<ToldAlert[]> | undefined): boolean {
  const messages = data?.pages.flat().flatMap((alert) => alert.messages) ?? [];
  return messages.some(({ state, nextAttemptAt }) => {
    if (state !== 'PENDING' || nextAttemptAt === null) return false;
    return Date.parse(nextAttemptAt) - Date.now() < 10 * POLL_MS;
  });
}

/** Rules by number, of a project with those for all, or every one. */
export function useAlertRules(project: string | null) {
  return useQuery({
    queryKey: ['alerts', 'rules', project],
    queryFn: async ({ signal }) => (await request(AlertRulesDocument, { project }, signal)).alertRules,
  });
}

/** Makes or changes a rule. */
export function useSaveAlertRule() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (input: SaveAlertRuleInput) => (await request(SaveAlertRuleDocument, { input })).saveAlertRule,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['alerts', 'rules'] }),
  });
}

export function useDeleteAlertRule() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) => (await request(DeleteAlertRuleDocument, { id })).deleteAlertRule,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['alerts', 'rules'] }),
  });
}

/** Sends a test to every channel of a rule. */
export function useTestAlertRule() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) => (await request(TestAlertRuleDocument, { id })).testAlertRule,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['alerts', 'history'] }),
  });
}
