import { QueryClient } from '@tanstack/react-query';
import { isUnavailable } from './apiError.ts';
import { onReturn } from './connection.ts';

/** A database that is away is asked for again so often. */
const ASK_AGAIN_MS = 3_000;

/**
 * The page's memory of what the API said. A refusal is not asked for again, and an API that is away is waited for; where the
 * API answers but its database does not, what failed is asked for until it comes.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      ...{ retry: false, staleTime: 2000, refetchOnWindowFocus: false },
      refetchInterval: ({ state: { error } }) => (isUnavailable(error) ? ASK_AGAIN_MS : false),
    },
    mutations: { retry: false },
  },
});

onReturn(() => void queryClient.invalidateQueries());
