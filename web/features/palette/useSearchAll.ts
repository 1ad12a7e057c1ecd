import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { SearchDocument, type SearchQuery } from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';

export type SearchResults = SearchQuery['search'];

/** Of each sort. */
const MOST_FOUND = 6;

/** Runs, projects, sweeps and studies that bear all words of a text; nothing for an empty one. */
export function useSearchAll(text: string) {
  return useQuery({
    queryKey: ['search', text],
    queryFn: async ({ signal }) => (await request(SearchDocument, { text, first: MOST_FOUND }, signal)).search,
    enabled: text !== '',
    placeholderData: keepPreviousData,
  });
}
