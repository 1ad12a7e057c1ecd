import { openAsBlob } from 'node:fs';
import { z } from 'zod';
import type { TypedDocumentString } from '#src/generated/api.ts';
import { otherVersion } from '../lib/otherVersion.ts';
import { userName } from '../lib/userName.ts';
import { ERROR_CODES, type ErrorCode, WarrenError } from '../contracts/errors.ts';
import { type PostAnswer, postText } from './postText.ts';

export interface ApiClient {
  /** Address of the API, without a slash at its end. */
  readonly url: string;
  /** What it shows who asks; null without. */
  readonly token: string | null;
  /**
   * Answers a GraphQL operation. The data is trusted to have the document's type: documents are checked against the schema
   * when they are built, and an API of another version refuses fields that it does not have. Throws the first GraphQL error
   * as a `WarrenError` with its code, and UNAVAILABLE where no API answers.
   */
  request<Result, Variables>(document: TypedDocumentString<Result, Variables>, variables: Variables): Promise<Result>;
  /** Sends a file with PUT. Throws what the API answers instead of taking it. */
  upload(path: string, file: string, headers: Record<string, string>): Promise<void>;
  /** Sends bytes with PUT, as `upload` does a file. */
  uploadBytes(path: string, bytes: Uint8Array, headers: Record<string, string>): Promise<void>;
  /** Whether a plain GET of `path` would answer a body. */
  exists(path: string): Promise<boolean>;
  /** The body of a plain GET of `path`, as it comes. Throws what the API answers instead. */
  download(path: string): Promise<ReadableStream<Uint8Array>>;
}

export interface ApiClientOptions {
  url: string;
  token: string | null;
  /** In whose name it asks; the user of this process when left out. */
  user?: string | null;
  /** Milliseconds until a request counts as lost; default 60,000. */
  timeoutMs?: number;
  /** Called once where the API does not know the token, and needs none. */
  onUnknownToken?: () => void;
}

const graphqlAnswer = z.object({
  data: z.unknown().optional(),
  errors: z
    .array(
      z.object({
        message: z.string(),
        path: z.array(z.union([z.string(), z.number()])).optional(),
        extensions: z.looseObject({ code: z.string().optional(), path: z.string().optional() }).optional(),
      }),
    )
    .optional(),
});

/** The path of the error where the address is not that of an API, which another try does not change. */
export const NOT_WARREN = 'WARREN_API_URL';

/** Codes that Apollo gives by itself, as ours. */
const FOREIGN_CODES: Readonly<Record<string, ErrorCode>> = {
  BAD_USER_INPUT: 'BAD_INPUT',
  GRAPHQL_VALIDATION_FAILED: 'BAD_INPUT',
  GRAPHQL_PARSE_FAILED: 'BAD_INPUT',
  BAD_REQUEST: 'BAD_INPUT',
};

export function createApiClient({
  url,
  token,
  user = userName(),
  timeoutMs = 60_000,
  onUnknownToken,
}: ApiClientOptions): ApiClient {
  const caller: Record<string, string> = {
    ...(user === null ? {} : { 'x-warren-user': encodeURIComponent(user) }),
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  };
  let isTold = false;
  const requireKnown = (status: number, tokenHeader: string | null): void => {
    if (status === 401) {
      throw new WarrenError(
        'UNAUTHENTICATED',
        `${url} wants ${token === null ? 'a token: set WARREN_TOKEN' : 'another token: WARREN_TOKEN is not known there'}; \`warren token create\` makes one`,
      );
    }
    if (!isTold && tokenHeader === 'unknown') {
      isTold = true;
      onUnknownToken?.();
    }
  };
  const send = async (path: string, init: RequestInit): Promise<Response> => {
    let response: Response;
    try {
      response = await fetch(`${url}${path}`, init);
    } catch (error) {
      throw unavailable(url, error);
    }
    if (response.status === 401) await response.body?.cancel();
    requireKnown(response.status, response.headers.get('warren-token'));
    return response;
  };
  const put = async (path: string, body: Blob, headers: Record<string, string>): Promise<void> => {
    const response = await send(path, { method: 'PUT', headers: { ...headers, ...caller }, body });
    if (!response.ok) return await throwRefusal(response, url);
    await response.body?.cancel();
  };
  return {
    url,
    token,
    async request<Result, Variables>(document: TypedDocumentString<Result, Variables>, variables: Variables) {
      let answer: PostAnswer;
      try {
        answer = await postText(`${url}/graphql`, {
          headers: { 'content-type': 'application/json', accept: 'application/json', ...caller },
          body: JSON.stringify({ query: document.toString(), variables }),
          signal: AbortSignal.timeout(timeoutMs),
        });
      } catch (error) {
        throw unavailable(url, error);
      }
      const { status, text, header } = answer;
      requireKnown(status, header('warren-token'));
      const parsed = graphqlAnswer.safeParse(parseJson(text, url, status));
      if (!parsed.success) throw notWarren(url, status);
      const first = parsed.data.errors?.[0];
      const skew = first === undefined ? null : otherVersion(first.message, 'command');
      if (skew !== null) throw new WarrenError('CONFLICT', `${url}: ${skew}`);
      if (first !== undefined) throw toWarrenError(first.message, first.extensions?.code, first.extensions?.path);
      if (parsed.data.data == null) throw notWarren(url, status);
      return parsed.data.data as Result;
    },
    upload: async (path, file, headers) => await put(path, await openAsBlob(file), headers),
    uploadBytes: async (path, bytes, headers) => await put(path, new Blob([Uint8Array.from(bytes)]), headers),
    async exists(path) {
      const { ok, status } = await send(path, { method: 'HEAD', headers: caller });
      if (ok || status === 404) return ok;
      throw new WarrenError('UNAVAILABLE', `${url}${path} answered HTTP ${status}`);
    },
    async download(path) {
      const response = await send(path, { headers: caller });
      if (response.ok && response.body !== null) return response.body;
      return await throwRefusal(response, url);
    },
  };
}

async function throwRefusal(response: Response, url: string): Promise<never> {
  const parsed = graphqlAnswer.safeParse(await readJson(response, url));
  const first = parsed.data?.errors?.[0];
  if (first === undefined) throw notWarren(url, response.status);
  throw toWarrenError(first.message, first.extensions?.code, first.extensions?.path);
}

async function readJson(response: Response, url: string): Promise<unknown> {
  let text: string;
  try {
    text = await response.text();
  } catch (error) {
    // a connection that broke in the middle of the answer is an absent API
    throw unavailable(url, error);
  }
  return parseJson(text, url, response.status);
}

function parseJson(text: string, url: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notWarren(url, status);
  }
}

function toWarrenError(message: string, code: string | undefined, path: string | undefined): WarrenError {
  const known = ERROR_CODES.find((name) => name === code) ?? FOREIGN_CODES[code ?? ''] ?? 'INTERNAL';
  return new WarrenError(known, message, path === undefined ? {} : { path });
}

function unavailable(url: string, cause: unknown): WarrenError {
  if (cause instanceof Error && cause.name === 'TimeoutError') {
    const told = `${url} has not answered in time: it may be busy, so try again; \`warren status\` says how it is`;
    return new WarrenError('UNAVAILABLE', told, { cause });
  }
  return new WarrenError(
    'UNAVAILABLE',
    `no Warren answers at ${url}: start one with \`warren up\`, or set WARREN_API_URL to where one runs`,
    { cause },
  );
}

function notWarren(url: string, status: number): WarrenError {
  return new WarrenError(
    'UNAVAILABLE',
    `what answers at ${url} (HTTP ${status}) is not Warren's API: check WARREN_API_URL`,
    // a proxy answers so while the API behind it is away
    status >= 500 ? {} : { path: NOT_WARREN },
  );
}
