import { useQuery } from '@tanstack/react-query';
import { buildSchema, type GraphQLSchema } from 'graphql';
import { ApiError } from '#web/api/apiError.ts';
import { authorizationHeaders } from '#web/api/request.ts';

/** The schema of the API, as the server has it. */
export function useSchema() {
  return useQuery({
    queryKey: ['schema'],
    queryFn: async ({ signal }): Promise<GraphQLSchema> => {
      const response = await fetch('/schema.graphql', { headers: authorizationHeaders(), signal });
      if (!response.ok) throw new ApiError('NETWORK', `The schema was answered with status ${response.status}.`);
      return buildSchema(await response.text());
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}
