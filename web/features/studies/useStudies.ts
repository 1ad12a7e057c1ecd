import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  ReproduceStudyDocument,
  type ReproduceStudyInput,
  StudyExportDocument,
  type StudyFormat,
  StudyListDocument,
  type StudyListQuery,
  StudyPageDocument,
  type StudyPageQuery,
  StudyPlanDocument,
  type StudyPlanQuery,
} from '#web/generated/graphql.ts';
import { createActionKeys } from '#web/api/actionKeys.ts';
import { request } from '#web/api/request.ts';

export type StudyEntry = StudyListQuery['studies'][number];
export type StudyDetails = StudyPageQuery['study'];
export type StudyPlan = StudyPlanQuery['studyPlan'];
export type StudyCell = StudyDetails['cells'][number];
export type StudyClaim = StudyDetails['claims'][number];
export type StudyFigure = StudyDetails['figures'][number];
export type StudyPanel = StudyFigure['panels'][number];
export type StudySeries = StudyPanel['series'][number];

const STALE_MS = 5_000;
/** While runs of it are under way. */
const LIVE_MS = 5_000;

/** Every study with what its runs say. */
export function useStudies() {
  return useQuery({
    queryKey: ['studies'],
    queryFn: async ({ signal }) => (await request(StudyListDocument, {}, signal)).studies,
    staleTime: STALE_MS,
  });
}

/** One study; looked at again and again while runs of it are under way. */
export function useStudy(name: string) {
  return useQuery({
    queryKey: ['study', name],
    queryFn: async ({ signal }) => (await request(StudyPageDocument, { name }, signal)).study,
    staleTime: STALE_MS,
    refetchInterval: ({ state }) => (state.data?.state === 'RUNNING' ? LIVE_MS : false),
  });
}

/** A study as the text of a file. */
export async function exportStudy(name: string, format: StudyFormat): Promise<string> {
  return (await request(StudyExportDocument, { name, format })).study.export;
}

/** What is to be run of a study. */
export type StudyChoice = Pick<ReproduceStudyInput, 'budget' | 'seeds' | 'rows' | 'columns'>;

/** What queueing would do now. */
export function useStudyPlan(name: string, choice: StudyChoice) {
  return useQuery({
    queryKey: ['study', name, 'plan', choice],
    queryFn: async ({ signal }) => (await request(StudyPlanDocument, { input: { name, ...choice } }, signal)).studyPlan,
    placeholderData: keepPreviousData,
    retry: false,
  });
}

/** Queues what is missing of a study. */
export function useReproduceStudy(name: string) {
  const client = useQueryClient();
  const [keys] = useState(() => createActionKeys());
  return useMutation({
    mutationFn: async (choice: StudyChoice) =>
      (await request(ReproduceStudyDocument, { input: { name, ...choice, key: keys.of(choice) } })).reproduceStudy,
    async onSuccess() {
      keys.done();
      await client.invalidateQueries({ queryKey: ['study', name] });
    },
  });
}
