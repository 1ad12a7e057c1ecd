import {
  ExportStudyDocument,
  ReproduceStudyDocument,
  type ReproduceStudyInput,
  type ReproduceStudyMutation,
  StudiesDocument,
  type StudiesQuery,
  StudyDocument,
  type StudyFormat,
  StudyPlanDocument,
  type StudyPlanQuery,
  type StudyQuery,
} from '#src/generated/api.ts';
import type { ApiClient } from '#src/base/terminal/apiClient.ts';

export type StudyEntry = StudiesQuery['studies'][number];
export type StudyAnswer = StudyQuery['study'];
export type ReproducedAnswer = ReproduceStudyMutation['reproduceStudy'];
export type PlanAnswer = StudyPlanQuery['studyPlan'];

/** Every study. */
export async function fetchStudies(api: ApiClient): Promise<StudyEntry[]> {
  return (await api.request(StudiesDocument, {})).studies;
}

/** @throws WarrenError NOT_FOUND where there is none of that name. */
export async function fetchStudy(api: ApiClient, name: string): Promise<StudyAnswer> {
  return (await api.request(StudyDocument, { name })).study;
}

/** A study as the text of a file. @throws WarrenError NOT_FOUND where there is none of that name. */
export async function exportStudy(api: ApiClient, name: string, format: StudyFormat): Promise<string> {
  return (await api.request(ExportStudyDocument, { name, format })).study.export;
}

/** What `reproduceStudy` would do. */
export async function planStudy(api: ApiClient, input: ReproduceStudyInput): Promise<PlanAnswer> {
  return (await api.request(StudyPlanDocument, { input })).studyPlan;
}

/** Queues what is missing of a study. */
export async function reproduceStudy(api: ApiClient, input: ReproduceStudyInput): Promise<ReproducedAnswer> {
  return (await api.request(ReproduceStudyDocument, { input })).reproduceStudy;
}
