import { useQuery } from '@tanstack/react-query';
import { StudyVerdictsDocument, type StudyVerdictsQuery } from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';

export type StudyVerdicts = StudyVerdictsQuery['study'];

/** Judging a study with other runs than before takes up to half a second of the server. */
const REFRESH_MS = 60_000;

/** What the runs of a study say, read beside what a page waits for; undefined until it is known, and for a study that is not there. */
export function useStudyVerdicts(name: string): StudyVerdicts | undefined {
  const { data } = useQuery({
    queryKey: ['studyVerdicts', name],
    queryFn: async ({ signal }) => (await request(StudyVerdictsDocument, { name }, signal)).study,
    ...{ staleTime: REFRESH_MS, refetchInterval: REFRESH_MS, retry: false },
  });
  return data;
}
