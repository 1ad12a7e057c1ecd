import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  CancelSweepDocument,
  ConfirmSweepDocument,
  CreateSweepDocument,
  type CreateSweepInput,
  ExtendSweepDocument,
  type ExtendSweepInput,
  PauseSweepDocument,
  ResumeSweepDocument,
} from '#web/generated/graphql.ts';
import { createActionKeys } from '#web/api/actionKeys.ts';
import { request } from '#web/api/request.ts';

export type SweepAction = 'pause' | 'resume' | 'cancel';

const DOCUMENTS = { pause: PauseSweepDocument, resume: ResumeSweepDocument, cancel: CancelSweepDocument } as const;

/** Pauses, resumes or cancels a sweep. */
export function useSweepAction() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ action, id }: { action: SweepAction; id: string }) =>
      (await request(DOCUMENTS[action], { id })).sweep,
    onSettled: () => queryClient.invalidateQueries(),
  });
}

/** Gives a sweep more to do; the same input, sent again after a failure, adds nothing more. */
export function useExtendSweep() {
  const queryClient = useQueryClient();
  const [keys] = useState(() => createActionKeys());
  return useMutation({
    mutationFn: async (input: ExtendSweepInput) =>
      (await request(ExtendSweepDocument, { input: { ...input, key: keys.of(input) } })).sweep,
    onSuccess: keys.done,
    onSettled: () => queryClient.invalidateQueries(),
  });
}

/** Queues a trial, the best by default, on fresh seeds. */
export function useConfirmSweep() {
  const queryClient = useQueryClient();
  const [keys] = useState(() => createActionKeys());
  return useMutation({
    mutationFn: async (variables: { id: string; seeds: number; trial?: number }) =>
      (await request(ConfirmSweepDocument, { ...variables, key: keys.of(variables) })).runs,
    onSuccess: keys.done,
    onSettled: () => queryClient.invalidateQueries(),
  });
}

/**
 * Starts a sweep; answers it and what is done otherwise than asked. The same input, sent again after a failure, starts no second one.
 */
export function useCreateSweep() {
  const queryClient = useQueryClient();
  const [keys] = useState(() => createActionKeys());
  return useMutation({
    mutationFn: async (input: CreateSweepInput) =>
      (await request(CreateSweepDocument, { input: { ...input, key: keys.of(input) } })).createSweep,
    onSuccess: keys.done,
    onSettled: () => queryClient.invalidateQueries(),
  });
}
