import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  DisableUserDocument,
  type DisableUserMutationVariables,
  GrantUserDocument,
  type GrantUserMutationVariables,
  type UserFieldsFragment,
  UsersDocument,
} from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';

export type UserRow = UserFieldsFragment;

const POLL_MS = 30_000;

/** All who have signed in, by address; asked again every half a minute. */
export function useUsers() {
  return useQuery({
    queryKey: ['users'],
    queryFn: async ({ signal }) => (await request(UsersDocument, {}, signal)).users,
    refetchInterval: POLL_MS,
  });
}

/** Gives somebody rights in projects, or takes away what an admin gave. */
export function useGrantUser() {
  const showChanged = useShowChanged();
  return useMutation({
    mutationFn: async (change: GrantUserMutationVariables) => (await request(GrantUserDocument, change)).grantUser,
    onSuccess: showChanged,
  });
}

/** Shuts somebody out, or lets somebody in again. */
export function useDisableUser() {
  const queryClient = useQueryClient();
  const showChanged = useShowChanged();
  return useMutation({
    mutationFn: async (change: DisableUserMutationVariables) =>
      (await request(DisableUserDocument, change)).disableUser,
    onSuccess: (changed) => {
      showChanged(changed);
      void queryClient.invalidateQueries({ queryKey: ['tokens'] });
    },
  });
}

function useShowChanged(): (changed: UserRow) => void {
  const queryClient = useQueryClient();
  return (changed) =>
    queryClient.setQueryData<UserRow[]>(['users'], (users) =>
      users?.map((user) => (user.id === changed.id ? changed : user)),
    );
}
