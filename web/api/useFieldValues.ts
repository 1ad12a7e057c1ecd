import { useQuery } from '@tanstack/react-query';
import { FieldValuesDocument } from '../generated/graphql.ts';
import { request } from './request.ts';

/** What runs of a project have in a field of the filter language, the most frequent first; empty where that cannot be told. */
export function useFieldValues(project: string | null, field: string | null): readonly unknown[] {
  const { data } = useQuery({
    queryKey: ['fieldValues', project, field],
    enabled: field !== null,
    queryFn: async ({ signal }) => {
      const { runGroups } = await request(FieldValuesDocument, { project, field: field ?? '' }, signal);
      return runGroups.edges.map(({ node }): unknown => node.values[0]);
    },
    staleTime: 30_000,
    retry: false,
  });
  return data ?? NONE;
}

const NONE: readonly unknown[] = [];
