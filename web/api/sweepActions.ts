import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  CancelSweepDocument,
  ConfirmSweepDocument,
  CreateSweepDocument,
  type CreateSweepInput,
  ExtendSweepDocument,
  type ExtendSweepInput,
  PauseSweepDocument,
  ResumeSweepDocument,
} from '../generated/graphql.ts';
import { request } from './request.ts';

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

/** Gives a sweep more to do. */
export function useExtendSweep() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (input: ExtendSweepInput) => (await request(ExtendSweepDocument, { input })).sweep,
    onSettled: () => queryClient.invalidateQueries(),
  });
}

/** Queues a trial, the best by default, on fresh seeds. */
export function useConfirmSweep() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (variables: { id: string; seeds: number; trial?: number }) =>
      (await request(ConfirmSweepDocument, variables)).runs,
    onSettled: () => queryClient.invalidateQueries(),
  });
}

/** Starts a sweep; answers it and what is done otherwise than asked. */
export function useCreateSweep() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (input: CreateSweepInput) => (await request(CreateSweepDocument, { input })).createSweep,
    onSettled: () => queryClient.invalidateQueries(),
  });
}
