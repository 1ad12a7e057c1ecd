import type { TypedDocumentString } from '../generated/api.ts';
import { sha256Of } from './sha256.ts';

const TIMEOUT_MS = 30_000;
/** Codes of errors that pass by themselves. */
const PASSING = new Set(['UNAVAILABLE', 'TIMEOUT', 'INTERNAL', 'INTERNAL_ERROR']);

/** The server is away or cannot answer now: the same request may go through later. */
export class Unreachable extends Error {}

/** The server refuses the request for good; the message says why. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export interface Transport {
  url: string;
  token: string | null;
  /** The data of the answer. @throws Unreachable or Refused */
  ask<Result, Variables>(document: TypedDocumentString<Result, Variables>, variables: Variables): Promise<Result>;
  /** Puts a file under a name of a run; the same bytes again change nothing. @throws Unreachable or Refused */
  upload(runId: string, name: string, content: Blob, mediaType: string): Promise<void>;
  /**
   * A file of a run, by the run's id or number; with `sha256` that content, whatever the run has under that name now.
   * @throws Unreachable or Refused
   */
  download(runId: string, name: string, sha256?: string): Promise<Blob>;
}

/** Talks to a server by `fetch`. @throws TypeError where `server` is no address */
export function transportTo(server: string, token: string | null): Transport {
  if (!/^https?:\/\/[^/]/.test(server) || !URL.canParse(server)) {
    throw new TypeError(`server: '${server}' is not an address such as http://127.0.0.1:4680`);
  }
  const url = server.replace(/\/+$/, '');
  const send = async (path: string, init: RequestInit & { headers?: Record<string, string> }): Promise<Response> => {
    const headers = { ...init.headers, ...(token === null ? {} : { authorization: `Bearer ${token}` }) };
    try {
      return await fetch(`${url}${path}`, { ...init, headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    } catch (error) {
      throw new Unreachable(`${url} does not answer: ${reasonOf(error)}`);
    }
  };
  const artifact = (runId: string, name: string): string =>
    `/artifacts/${encodeURIComponent(runId)}/${name.split('/').map(encodeURIComponent).join('/')}`;
  return {
    url,
    token,
    async ask<Result, Variables>(document: TypedDocumentString<Result, Variables>, variables: Variables) {
      const body = JSON.stringify({ query: document.toString(), variables });
      const response = await send('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      const text = await textOf(response, url);
      const answer = answerOf<Result>(text);
      const [first] = answer?.errors ?? [];
      if (first !== undefined) {
        const code = first.extensions?.code ?? 'UNKNOWN';
        const passes = response.status >= 500 || response.status === 429 || PASSING.has(code);
        throw passes ? new Unreachable(`${code}: ${first.message}`) : new Refused(code, first.message);
      }
      if (!response.ok || answer?.data === undefined) throw failure(url, response.status, text);
      return answer.data;
    },
    async upload(runId, name, content, mediaType) {
      const init = { method: 'PUT', headers: { 'content-type': mediaType }, body: content };
      const response = await send(artifact(runId, name), init);
      const text = await textOf(response, url);
      if (!response.ok) throw failure(url, response.status, text);
    },
    async download(runId, name, sha256) {
      const response = await send(`${artifact(runId, name)}${sha256 === undefined ? '' : `?sha256=${sha256}`}`, {});
      if (!response.ok) throw failure(url, response.status, await textOf(response, url));
      const content = await response.blob();
      if (sha256 === undefined) return content;
      const sum = await sha256Of(new Uint8Array(await content.arrayBuffer()));
      if (sum === null || sum === sha256) return content;
      throw new Unreachable(`${url} gave other bytes of ${name} than were registered`);
    },
  };
}

interface Answer<Result> {
  data?: Result;
  errors?: { message: string; extensions?: { code?: string } }[];
}

/** The answer of an API whose types are made from its schema: that it is one is checked, not every field. */
function answerOf<Result>(text: string): Answer<Result> | null {
  try {
    const value: Answer<Result> | null = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

async function textOf(response: Response, url: string): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw new Unreachable(`${url} breaks off: ${reasonOf(error)}`);
  }
}

function failure(url: string, status: number, text: string): Error {
  const message = `${url} answers ${status}: ${text.slice(0, 300)}`;
  const passes = [408, 425, 429].includes(status) || status >= 500;
  return passes ? new Unreachable(message) : new Refused(`HTTP_${status}`, message);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
