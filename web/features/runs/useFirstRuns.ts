import { useQuery } from '@tanstack/react-query';
import { RunsDocument } from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';
import type { RunRow } from './useRuns.ts';

export interface FirstRunsInput {
  project: string | null;
  filter: string;
  inTrash: boolean;
  metrics: readonly string[];
  /** Whether anything is asked. */
  enabled: boolean;
}

const FIRST_RUNS = 100;

/** The newest runs that match, with their values of some metrics; null until they are known, and where they cannot be told. */
export function useFirstRuns(input: FirstRunsInput): readonly RunRow[] | null {
  const { project, filter, inTrash, metrics, enabled } = input;
  const { data } = useQuery({
    queryKey: ['firstRuns', project, filter, inTrash, metrics],
    enabled,
    queryFn: async ({ signal }) => {
      const asked = {
        ...{ project, inTrash, filter: filter === '' ? null : filter, metrics: [...metrics] },
        ...{ first: FIRST_RUNS, after: null, orderBy: { by: 'number', direction: 'DESC' as const } },
        ...{ withNotes: false, withHeadline: false, withTexts: false },
      };
      return (await request(RunsDocument, asked, signal)).runs.edges.map(({ node }) => node);
    },
    staleTime: 30_000,
    retry: false,
  });
  return data ?? null;
}
