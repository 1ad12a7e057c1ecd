import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  DeleteRegistryAliasDocument,
  DeleteRegistryVersionDocument,
  RegisterVersionDocument,
  type RegisterVersionInput,
  RegistryEntriesDocument,
  type RegistryEntriesQuery,
  RegistryEntryDocument,
  type RegistryEntryQuery,
  type RegistryType,
  SetRegistryAliasDocument,
  UpdateRegistryEntryDocument,
  type UpdateRegistryEntryInput,
} from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';

export type EntryRow = RegistryEntriesQuery['registryEntries']['edges'][number]['node'];
export type EntryDetail = NonNullable<RegistryEntryQuery['registryEntry']>;
export type VersionRow = EntryDetail['versions'][number];

const POLL_MS = 15_000;
const VERSIONS_OF_PAGE = 50;

/** Registered models and datasets, by name. */
export function useEntries({ type, search }: { type: RegistryType | null; search: string }) {
  return useInfiniteQuery({
    queryKey: ['registry', type, search],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) =>
      (await request(RegistryEntriesDocument, { type, search, after: pageParam }, signal)).registryEntries,
    getNextPageParam: ({ pageInfo }) => (pageInfo.hasNextPage ? pageInfo.endCursor : null),
    refetchInterval: POLL_MS,
  });
}

/** A model or dataset with its versions, the newest first. A page that is `null`: there is none of that name. */
export function useEntry(name: string) {
  return useInfiniteQuery({
    queryKey: ['registry entry', name],
    initialPageParam: null as number | null,
    queryFn: async ({ pageParam, signal }) =>
      (await request(RegistryEntryDocument, { name, before: pageParam }, signal)).registryEntry,
    getNextPageParam: (entry) =>
      entry === null || entry.versions.length < VERSIONS_OF_PAGE ? null : (entry.versions.at(-1)?.number ?? null),
    refetchInterval: POLL_MS,
  });
}

/** Registers what a run left as the next version of a model or dataset. */
export function useRegister() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (input: RegisterVersionInput) =>
      (await request(RegisterVersionDocument, { input })).registerVersion,
    onSettled: () => queryClient.invalidateQueries(),
  });
}

/** What can be done to a model or dataset and its versions. */
export type EntryChange =
  | { change: 'point'; version: string; alias: string }
  | { change: 'unpoint'; name: string; alias: string }
  | { change: 'delete'; version: string }
  | { change: 'describe'; input: UpdateRegistryEntryInput };

/** Moves or removes an alias, deletes a version, or changes what is said. */
export function useChangeEntry() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (asked: EntryChange): Promise<void> => {
      if (asked.change === 'point') await request(SetRegistryAliasDocument, asked);
      else if (asked.change === 'unpoint') await request(DeleteRegistryAliasDocument, asked);
      else if (asked.change === 'describe') await request(UpdateRegistryEntryDocument, asked);
      else await request(DeleteRegistryVersionDocument, asked);
    },
    onSettled: () => queryClient.invalidateQueries(),
  });
}
