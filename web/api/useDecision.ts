import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  CancelDecisionDocument,
  DecideComparisonDocument,
  type DecideInput,
  DecisionChangedDocument,
  DecisionDocument,
  type DecisionQuery,
  DecisionsDocument,
  type DecisionsQuery,
} from '../generated/graphql.ts';
import { request } from './request.ts';
import { subscribe } from './subscribe.ts';

export type DecisionDetail = NonNullable<DecisionQuery['decision']>;
export type DecisionRow = DecisionsQuery['decisions'][number];

/** The newest, among which a comparison looks for those of its own configurations. */
const NEWEST = 100;

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

/** The newest adaptive comparisons. */
export function useDecisions() {
  return useQuery({
    queryKey: ['decisions'],
    queryFn: async ({ signal }): Promise<DecisionRow[]> =>
      (await request(DecisionsDocument, { first: NEWEST }, signal)).decisions,
  });
}

/** Starts an adaptive comparison. */
export function useDecide() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (input: DecideInput) => (await request(DecideComparisonDocument, { input })).decideComparison,
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
