import { TypedDocumentString } from '../generated/graphql.ts';
import { ApiError } from './apiError.ts';
import { authToken } from './authToken.ts';
import { authorizationHeaders, graphqlErrorsSchema, toApiError } from './request.ts';
import { subscribe } from './subscribe.ts';

/** A document that a person wrote, with its variables. */
export interface Operation {
  query: string;
  variables: Record<string, unknown>;
}

/**
 * Sends a query or mutation and returns the whole answer, errors of GraphQL included, as it came.
 * @throws ApiError NETWORK when there is no answer in JSON.
 */
export async function execute(operation: Operation, signal: AbortSignal): Promise<unknown> {
  const token = authToken.get();
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorizationHeaders() },
    body: JSON.stringify(operation),
    signal,
  });
  const answer: unknown = await response.json().catch(() => {
    throw new ApiError('NETWORK', `The API answered with status ${response.status} and no GraphQL result.`);
  });
  const errors = graphqlErrorsSchema.safeParse(Reflect.get(Object(answer), 'errors'));
  // Asks for a token where one is wanted.
  if (errors.success && errors.data[0] !== undefined) toApiError(errors.data[0], token);
  return answer;
}

/** Follows a subscription until the returned function is called. */
export function follow({ query, variables }: Operation, onResult: (result: unknown) => void): () => void {
  return subscribe(new TypedDocumentString<unknown, Record<string, unknown>>(query), () => variables, {
    onData: (data) => onResult({ data }),
    onError: ({ code, message }) => onResult({ errors: [{ message, extensions: { code } }] }),
  });
}
