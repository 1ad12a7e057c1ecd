import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import {
  CancelDecisionDocument,
  DecideComparisonDocument,
  type DecideInput,
  DecisionChangedDocument,
  DecisionDocument,
  type DecisionQuery,
  DecisionsDocument,
  type DecisionsQuery,
} from '#web/generated/graphql.ts';
import { createActionKeys } from '#web/api/actionKeys.ts';
import { request } from '#web/api/request.ts';
import { subscribe } from '#web/api/subscribe.ts';

export type DecisionDetail = NonNullable<DecisionQuery['decision']>;
export type DecisionRow = DecisionsQuery['decisions'][number];

const PAGE_SIZE = 100;
const POLL_MS = 10_000;

/** One adaptive comparison by id or number, kept current by `decisionChanged`. `null` data: there is none. */
export function useDecision(idOrNumber: string) {
  const queryClient = useQueryClient();
  const query = useQuery({
    queryKey: ['decision', idOrNumber],
    queryFn: async ({ signal }) => (await request(DecisionDocument, { id: idOrNumber }, signal)).decision,
  });
  const id = query.data?.id;
  useEffect(() => {
    if (id === undefined) return;
    const key = ['decision', idOrNumber];
    return subscribe(DecisionChangedDocument, () => ({ id }), {
      onData: ({ decisionChanged }) => queryClient.setQueryData<DecisionDetail | null>(key, decisionChanged),
      onReconnect: () => void queryClient.invalidateQueries({ queryKey: key }),
    });
  }, [id, idOrNumber, queryClient]);
  return query;
}

/** Adaptive comparisons of a project or of all, the newest first. */
export function useDecisions(project: string | null) {
  return useInfiniteQuery({
    queryKey: ['decisions', project],
    initialPageParam: null as number | null,
    queryFn: async ({ pageParam, signal }) =>
      (await request(DecisionsDocument, { project, first: PAGE_SIZE, before: pageParam }, signal)).decisions,
    getNextPageParam: (page) => (page.length < PAGE_SIZE ? null : (page.at(-1)?.number ?? null)),
    refetchInterval: POLL_MS,
  });
}

/** Which configuration came out as better, in words; empty where none did. */
export function betterText({ better, a, b }: DecisionRow): string {
  return better === null ? '' : `${(better === 'A' ? a : b).label} is better`;
}

/** Starts an adaptive comparison. */
export function useDecide() {
  const queryClient = useQueryClient();
  const [keys] = useState(() => createActionKeys());
  return useMutation({
    mutationFn: async (input: DecideInput) =>
      (await request(DecideComparisonDocument, { input: { ...input, key: keys.of(input) } })).decideComparison,
    onSuccess: keys.done,
    onSettled: () => queryClient.invalidateQueries(),
  });
}

/** Ends an adaptive comparison with its own runs. */
export function useCancelDecision() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) => (await request(CancelDecisionDocument, { id })).cancelDecision,
    onSettled: () => queryClient.invalidateQueries(),
  });
}
