import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  IssueOwnTokenDocument,
  IssueTokenDocument,
  type IssueTokenMutationVariables,
  OwnTokensDocument,
  RevokeOwnTokenDocument,
  RevokeTokenDocument,
  type TokenFieldsFragment,
  type TokenRole,
  TokensDocument,
} from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';

export type TokenRow = TokenFieldsFragment;

/** All tokens, the newest first. */
export function useTokens() {
  return useQuery({
    queryKey: ['tokens'],
    queryFn: async ({ signal }) => (await request(TokensDocument, {}, signal)).tokens,
  });
}

/** Makes a token; answers its secret, which is told this once. */
export function useIssueToken() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (input: IssueTokenMutationVariables) =>
      (await request(IssueTokenDocument, input)).issueToken.token,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['tokens'] }),
  });
}

/** Makes a token void. */
export function useRevokeToken() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (name: string) => (await request(RevokeTokenDocument, { name })).revokeToken,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['tokens'] }),
  });
}

/** The tokens of the person who is signed in, the newest first. */
export function useOwnTokens() {
  return useQuery({
    queryKey: ['tokens', 'own'],
    queryFn: async ({ signal }) => (await request(OwnTokensDocument, {}, signal)).ownTokens,
  });
}

/** Makes a token for oneself; answers its secret, which is told this once. */
export function useIssueOwnToken() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({
      project,
      expiresAt,
      ...rest
    }: {
      name: string;
      role: TokenRole;
      project: string | null;
      expiresAt: string | null;
    }) => {
      if (expiresAt === null) throw new Error('a token of one’s own has an end');
      const inProjects = project === null ? null : [project];
      return (await request(IssueOwnTokenDocument, { ...rest, expiresAt, inProjects })).issueOwnToken.token;
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['tokens'] }),
  });
}

/** Makes a token void that one has made for oneself. */
export function useRevokeOwnToken() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (name: string) => (await request(RevokeOwnTokenDocument, { name })).revokeOwnToken,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['tokens'] }),
  });
}
