import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  DeleteViewDocument,
  type SavedViewFragment,
  SaveViewDocument,
  type SaveViewInput,
  SetDefaultViewDocument,
  ViewsChangedDocument,
  ViewsDocument,
} from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';
import { subscribe } from '#web/api/subscribe.ts';

export type SavedView = SavedViewFragment;

/** The saved views of a project by name, kept current while others change them; nothing is asked without a project. */
export function useViews(project: string | null) {
  const queryClient = useQueryClient();
  const query = useQuery({
    queryKey: ['views', project],
    queryFn: async ({ signal }) => (await request(ViewsDocument, { project: project ?? '' }, signal)).views,
    enabled: project !== null,
    staleTime: 60_000,
  });
  const known = query.isSuccess;
  useEffect(() => {
    if (project === null || !known) return;
    return subscribe(ViewsChangedDocument, () => ({ project }), {
      onData: ({ viewsChanged }) => queryClient.setQueryData(['views', project], viewsChanged),
      onReconnect: () => void queryClient.invalidateQueries({ queryKey: ['views', project] }),
    });
  }, [project, known, queryClient]);
  return query;
}

/** Makes, renames or changes a view; answers it when the list has it, too. */
export function useSaveView() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (input: SaveViewInput) => (await request(SaveViewDocument, { input })).saveView,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['views'] }),
  });
}

export function useDeleteView() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) => (await request(DeleteViewDocument, { id })).deleteView,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['views'] }),
  });
}

/** Makes a view its project's default, or no more. */
export function useSetDefaultView() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (input: { id: string; isDefault: boolean }) =>
      (await request(SetDefaultViewDocument, input)).setDefaultView,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['views'] }),
  });
}
