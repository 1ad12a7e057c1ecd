import { QueryClient } from '@tanstack/react-query';
import { onReturn } from './connection.ts';

/** The page's memory of what the API said. Errors are not retried: a refusal stays one, and an API that is away is waited for. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 2000, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
});

onReturn(() => void queryClient.invalidateQueries());
