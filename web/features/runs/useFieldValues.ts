import { useQuery } from '@tanstack/react-query';
import { FieldValuesDocument } from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';

export interface FieldValuesInput {
  project: string | null;
  /** Of the runs that meet it; all when left out. */
  filter?: string;
  inTrash?: boolean;
  /** Null: nothing is asked. */
  field: string | null;
}

/** What runs have in a field of the filter language, the most frequent first; null until that is known, and where it cannot be told. */
export function useFieldValues({
  project,
  filter = '',
  inTrash = false,
  field,
}: FieldValuesInput): readonly unknown[] | null {
  const { data } = useQuery({
    queryKey: ['fieldValues', project, filter, inTrash, field],
    enabled: field !== null,
    queryFn: async ({ signal }) => {
      const asked = { project, filter: filter === '' ? null : filter, inTrash, field: field ?? '' };
      const { runGroups } = await request(FieldValuesDocument, asked, signal);
      return runGroups.edges.map(({ node }): unknown => node.values[0]);
    },
    staleTime: 30_000,
    retry: false,
  });
  return data ?? null;
}
