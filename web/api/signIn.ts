import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { ApiError } from './apiError.ts';

const statusSchema = z.object({ signIn: z.nullable(z.string()), groupDays: z.nullable(z.number()) });

/**
 * Where people sign in at this server, and for how many days after that their tokens have what groups give; null where they do not.
 * Asked while `wanted`.
 */
export function useSignIn(wanted: boolean): z.infer<typeof statusSchema> {
  const { data = { signIn: null, groupDays: null } } = useQuery({
    queryKey: ['sign-in'],
    enabled: wanted,
    queryFn: async ({ signal }) => statusSchema.parse(await (await fetch('/auth/status', { signal })).json()),
  });
  return data;
}

/** Goes to the provider, which leads back to this page. */
export function goSignIn(address: string): void {
  const { pathname, search } = location;
  location.assign(`${address}?to=${encodeURIComponent(`${pathname}${search}`)}`);
}

/** Ends the session of this browser, and begins the page anew. @throws ApiError when the API did not. */
export async function signOut(): Promise<void> {
  const response = await fetch('/auth/sign-out', { method: 'POST', headers: { 'x-warren-request': '1' } });
  // somebody whose session has ended meanwhile is signed out as well
  if (!response.ok && response.status !== 401) throw new ApiError('NETWORK', 'You could not be signed out; try again.');
  location.assign('/');
}
