import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { RunsWithEmbeddingsDocument, type RunsWithEmbeddingsQuery } from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';

export type RunWithEmbeddings = RunsWithEmbeddingsQuery['runsWithFiles'][number];

const PAGE_SIZE = 20;

/** Runs that left arrays, the newest first, with all words of a text in their names, tags or projects. */
export function useRunsWithEmbeddings(text: string) {
  return useInfiniteQuery({
    queryKey: ['runs with embeddings', text],
    initialPageParam: null as number | null,
    queryFn: async ({ pageParam, signal }) =>
      (await request(RunsWithEmbeddingsDocument, { text, first: PAGE_SIZE, before: pageParam }, signal)).runsWithFiles,
    getNextPageParam: (page) => (page.length < PAGE_SIZE ? null : (page.at(-1)?.number ?? null)),
    placeholderData: keepPreviousData,
  });
}
