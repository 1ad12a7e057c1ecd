import * as z from 'zod/mini';
import type { TypedDocumentString } from '../generated/graphql.ts';
import { ApiError } from './apiError.ts';
import { authToken, tokenWanted } from './authToken.ts';
import { reportAway } from './connection.ts';

const graphqlErrorSchema = z.object({
  message: z.string(),
  extensions: z.optional(z.object({ code: z.optional(z.string()), path: z.optional(z.unknown()) })),
});
export const graphqlErrorsSchema = z.array(graphqlErrorSchema);
const answerSchema = z.object({
  data: z.optional(z.nullable(z.unknown())),
  errors: z.optional(graphqlErrorsSchema),
});

/** The last that was refused; undefined: none was. */
let refusedToken: string | null | undefined;

/**
 * Sends one query or mutation. Throws an `ApiError` with the API's code and path; `NETWORK` when no answer came.
 * The data is trusted to have the document's type: documents are checked against the API's schema when built.
 */
export async function request<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Result> {
  const token = authToken.get();
  // what polls would be refused again and again while the page asks for a token
  if (tokenWanted.get() && token === refusedToken) throw new ApiError('UNAUTHENTICATED', 'This server needs a token.');
  const response = await send(JSON.stringify({ query: document.toString(), variables }), signal);
  const answer = answerSchema.safeParse(await response.json().catch(() => null));
  if (!answer.success) {
    reportAway();
    throw new ApiError('NETWORK', `The API answered with status ${response.status} and no GraphQL result.`);
  }
  const first = answer.data.errors?.[0];
  if (first !== undefined) throw toApiError(first, token);
  return answer.data.data as Result;
}

/** Address headers of a plain request to the API. */
export function authorizationHeaders(): Record<string, string> {
  const token = authToken.get();
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

/** The error as ours. A refusal asks for a token, unless another one than the refused one has been given since. */
export function toApiError(error: z.infer<typeof graphqlErrorSchema>, refused = authToken.get()): ApiError {
  const { code = 'INTERNAL', path } = error.extensions ?? {};
  if (code === 'UNAUTHENTICATED' && authToken.get() === refused) {
    refusedToken = refused;
    tokenWanted.set(true);
  }
  return new ApiError(code, error.message, typeof path === 'string' ? path : null);
}

async function send(body: string, signal: AbortSignal | undefined): Promise<Response> {
  try {
    return await fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authorizationHeaders() },
      body,
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    reportAway();
    throw new ApiError('NETWORK', 'The API cannot be reached.');
  }
}
