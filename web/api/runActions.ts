import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  CancelRunsDocument,
  DeleteRunsDocument,
  type EnqueueRunsInput,
  EnqueueRunsDocument,
  type OutcomeFragment,
  RestoreRunsDocument,
  RetryRunsDocument,
  UpdateRunDocument,
  type UpdateRunInput,
} from '../generated/graphql.ts';
import { request } from './request.ts';

export type RunAction = 'cancel' | 'retry' | 'delete' | 'restore';
export type RunOutcome = OutcomeFragment;

const DOCUMENTS = {
  cancel: CancelRunsDocument,
  retry: RetryRunsDocument,
  delete: DeleteRunsDocument,
  restore: RestoreRunsDocument,
} as const;

/** Runs an action on runs by id; answers what it did to each. */
export function useRunAction() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ action, ids }: { action: RunAction; ids: string[] }) =>
      (await request(DOCUMENTS[action], { ids })).outcomes,
    onSettled: () => queryClient.invalidateQueries(),
  });
}

/** Changes a run's name, notes or tags. */
export function useUpdateRun() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (input: UpdateRunInput) => (await request(UpdateRunDocument, { input })).updateRun,
    onSettled: () => queryClient.invalidateQueries(),
  });
}

/** Queues runs; answers one entry for each seed. */
export function useEnqueueRuns() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (input: EnqueueRunsInput) => (await request(EnqueueRunsDocument, { input })).enqueueRuns,
    onSettled: () => queryClient.invalidateQueries(),
  });
}
