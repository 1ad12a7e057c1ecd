import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  CreateShareLinkDocument,
  type ShareLinkInput,
  ShareLinksDocument,
  WithdrawShareLinkDocument,
} from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';

/** The links that the caller may withdraw; the newest first. */
export function useShareLinks(project: string | null) {
  return useQuery({
    queryKey: ['share links', project],
    queryFn: async ({ signal }) => (await request(ShareLinksDocument, { project }, signal)).shareLinks,
  });
}

/** Makes a link; its secret is in this answer alone. */
export function useCreateShareLink() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (input: ShareLinkInput) => (await request(CreateShareLinkDocument, { input })).createShareLink,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['share links'] }),
  });
}

export function useWithdrawShareLink() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) => (await request(WithdrawShareLinkDocument, { id })).withdrawShareLink,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['share links'] }),
  });
}
