import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  MediaAtStepDocument,
  type MediaAtStepQuery,
  MediaNamesDocument,
  type MediaNamesQuery,
} from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';

export type MediaName = MediaNamesQuery['mediaNames'][number];
export type MediaOfRun = MediaAtStepQuery['mediaAtStep'][number];

const LIVE_MS = 5_000;
/** Addresses of contents are good for an hour at least. */
const FRESH_MS = 45 * 60_000;

/** The names under which some of the runs have something to look at; read again every few seconds while one goes on. */
export function useMediaNames(runIds: readonly string[], live: boolean) {
  return useQuery({
    queryKey: ['media names', runIds],
    queryFn: async ({ signal }) => (await request(MediaNamesDocument, { runIds: [...runIds] }, signal)).mediaNames,
    enabled: runIds.length > 0,
    // of no runs there is nothing, and nothing would ever take the place of what was there
    placeholderData: (before) => (runIds.length > 0 ? before : undefined),
    staleTime: LIVE_MS,
    refetchInterval: live ? LIVE_MS : false,
  });
}

export interface MediaAtStepInput {
  runIds: readonly string[];
  name: string;
  /** Null: the last one of each run. */
  step: number | null;
  /** Entries of a run at most. */
  first: number;
  enabled: boolean;
  live: boolean;
}

/** What each of the runs has under a name at its last step up to one, by the run's id. */
export function useMediaAtStep({ runIds, name, step, first, enabled, live }: MediaAtStepInput) {
  return useQuery({
    queryKey: ['media at step', name, step, first, runIds],
    queryFn: async ({ signal }) => {
      const { mediaAtStep } = await request(MediaAtStepDocument, { runIds: [...runIds], name, step, first }, signal);
      return new Map(mediaAtStep.map((one) => [one.runId, one]));
    },
    enabled: enabled && runIds.length > 0,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    refetchInterval: live ? LIVE_MS : FRESH_MS,
  });
}
