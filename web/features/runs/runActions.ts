import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  CancelRunsDocument,
  ChangeRunsDocument,
  type ChangeRunsInput,
  DeleteRunsDocument,
  EnqueueCommandDocument,
  type EnqueueCommandInput,
  type EnqueueRunsInput,
  EnqueueRunsDocument,
  type OutcomeFragment,
  RestoreRunsDocument,
  RetryRunsDocument,
  UpdateRunDocument,
  type UpdateRunInput,
} from '#web/generated/graphql.ts';
import { createActionKeys } from '#web/api/actionKeys.ts';
import { request } from '#web/api/request.ts';

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

/** Does one thing with all runs that match; the API refuses when another number matches than is given. */
export function useChangeRuns() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (input: ChangeRunsInput) => (await request(ChangeRunsDocument, { input })).change,
    onSettled: () => queryClient.invalidateQueries(),
  });
}

/** What the API takes in one call. */
const AT_ONCE = 1_000;

/** Takes runs back out of the trash, however many. */
export function useUndelete() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      for (let from = 0; from < ids.length; from += AT_ONCE) {
        await request(RestoreRunsDocument, { ids: ids.slice(from, from + AT_ONCE) });
      }
    },
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

/** Queues runs; answers one entry for each seed. The same input, sent again after a failure, queues nothing twice. */
export function useEnqueueRuns() {
  const queryClient = useQueryClient();
  const [keys] = useState(() => createActionKeys());
  return useMutation({
    mutationFn: async (input: EnqueueRunsInput) =>
      (await request(EnqueueRunsDocument, { input: { ...input, key: keys.of(input) } })).enqueueRuns,
    onSuccess: keys.done,
    onSettled: () => queryClient.invalidateQueries(),
  });
}

/** Queues a program of the user's own, whose code the server has; as `useEnqueueRuns`. */
export function useEnqueueCommand() {
  const queryClient = useQueryClient();
  const [keys] = useState(() => createActionKeys());
  return useMutation({
    mutationFn: async (input: EnqueueCommandInput) =>
      (await request(EnqueueCommandDocument, { input: { ...input, key: keys.of(input) } })).enqueueCommand,
    onSuccess: keys.done,
    onSettled: () => queryClient.invalidateQueries(),
  });
}
