import { otherVersion } from '#src/base/lib/otherVersion.ts';
import { warn } from './warn.ts';
import type { TypedDocumentString } from '../generated/api.ts';
import { NO_ROOM } from './aside.ts';
import { reasonOf, Refused, Unreachable } from './failures.ts';
import { blobOf, steadyBytes } from './steadyBytes.ts';

const TIMEOUT_MS = 30_000;
/** Codes of errors that pass by themselves. */
const PASSING = new Set(['UNAVAILABLE', 'TIMEOUT', 'INTERNAL', 'INTERNAL_ERROR']);

/** An upload may take this much longer for each byte: `fetch` does not say how far it is. 64 kB/s. */
const UPLOAD_MS_PER_BYTE = 1 / 64;
const SHA256 = /^"([0-9a-f]{64})"$/;

/** What is downloaded. */
export interface Download {
  /** Whether the bytes go on behind those that came before; otherwise they are all of the content. */
  goesOn: boolean;
  /** What the server calls this content. */
  tag: string | null;
  /** Of the whole content, where it is known. */
  sha256: string | null;
  /** @throws Unreachable where they break off */
  bytes: AsyncIterable<Uint8Array<ArrayBuffer>>;
}

export interface DownloadOptions {
  /** The content that is wanted, whatever the run has under that name now. */
  sha256?: string;
  /** What came before the way broke, with the tag of its content; without a tag all is wanted. */
  begun?: { bytes: number; tag: string | null };
}

export interface Transport {
  /** May be shown and kept: user and password are not in it. */
  url: string;
  /** With the user that it may name, for other processes of the program. */
  address: string;
  token: string | null;
  /** New with every restore of the server from a backup; empty until it has answered. */
  epoch(): string;
  /** What the server keeps of a log, in bytes, as its last answer said; null where none has. */
  logBytes(): number | null;
  /** The data of the answer. @throws Unreachable or Refused */
  ask<Result, Variables>(document: TypedDocumentString<Result, Variables>, variables: Variables): Promise<Result>;
  /** The text at a path of the server. @throws Unreachable or Refused */
  text(path: string): Promise<string>;
  /** Puts a file under a name of a run; the same bytes again change nothing. @throws Unreachable or Refused */
  upload(runId: string, name: string, content: Blob, mediaType: string, keptSince?: number): Promise<void>;
  /**
   * A file of a run, by the run's id or number. Who takes the bytes holds them against the sum.
   * @throws Unreachable or Refused
   */
  download(runId: string, name: string, options?: DownloadOptions): Promise<Download>;
}

/** An address without the user that it may name, and that user as a header has it. @throws TypeError where it is no address */
function addressOf(given: string): { url: string; address: string; credentials: string | null } {
  const address = given.trim();
  const parsed = /^https?:\/\/[^/]/.test(address) && URL.canParse(address) ? new URL(address) : null;
  if (parsed === null) {
    const shown = address.slice(address.lastIndexOf('@') + 1);
    throw new TypeError(`server: '${shown}' is not an address such as http://127.0.0.1:4680`);
  }
  const url = address.replace(/^(https?:\/\/)[^/?#]*@/, '$1').replace(/\/+$/, '');
  if (parsed.username === '') return { url, address: url, credentials: null };
  const pair = `${decodeURIComponent(parsed.username)}:${decodeURIComponent(parsed.password)}`;
  const bytes = Array.from(new TextEncoder().encode(pair), (byte) => String.fromCharCode(byte));
  return { url, address, credentials: `Basic ${btoa(bytes.join(''))}` };
}

/** Servers of which it was told that they do not know the token. */
const told = new Set<string>();

/** What servers have said of their epoch. */
const epochs = new Map<string, string>();

/** Talks to a server by `fetch`. @throws TypeError where `server` is no address */
export function transportTo(server: string, token: string | null): Transport {
  const { url, address, credentials } = addressOf(server);
  if (credentials !== null && token !== null) {
    throw new TypeError(`server: ${url} has a user, and there is a token (WARREN_TOKEN): a request has room for one`);
  }
  let logBytes: number | null = null;
  type Init = RequestInit & { headers?: Record<string, string> };
  const send = async (path: string, init: Init, signal = AbortSignal.timeout(TIMEOUT_MS)): Promise<Response> => {
    const authorization = credentials ?? (token === null ? null : `Bearer ${token}`);
    const headers = { ...init.headers, ...(authorization === null ? {} : { authorization }) };
    try {
      const response = await fetch(`${url}${path}`, { ...init, headers, signal });
      const epoch = response.headers.get('warren-epoch');
      if (epoch !== null) epochs.set(url, epoch);
      const said = Number(response.headers.get('warren-log-bytes') ?? Number.NaN);
      if (said > 0) logBytes = said;
      if (response.headers.get('warren-token') === 'unknown' && !told.has(url)) {
        told.add(url);
        warn(`${url} does not know this token (WARREN_TOKEN, or token: …); it needs none, and answers as to anybody`);
      }
      return response;
    } catch (error) {
      throw new Unreachable(`${url} does not answer: ${reasonOf(error)}`);
    }
  };
  const artifact = (runId: string, name: string): string =>
    `/artifacts/${encodeURIComponent(runId)}/${name.split('/').map(encodeURIComponent).join('/')}`;
  return {
    url,
    address,
    token,
    epoch: () => epochs.get(url) ?? '',
    logBytes: () => logBytes,
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
        if (passes) throw new Unreachable(`${code}: ${first.message}`);
        const message = otherVersion(first.message, 'client') ?? first.message;
        throw new Refused(code, message, first.extensions?.path ?? null);
      }
      if (!response.ok || answer?.data === undefined) throw failure(url, response.status, text);
      return answer.data;
    },
    async text(path) {
      const response = await send(path, {});
      const text = await textOf(response, url);
      if (!response.ok) throw failure(url, response.status, text);
      return text;
    },
    async upload(runId, name, content, mediaType, keptSince) {
      const init = { method: 'PUT', headers: { 'content-type': mediaType }, body: content };
      const late = keptSince === undefined ? '' : `?keptSince=${keptSince}`;
      const patience = AbortSignal.timeout(TIMEOUT_MS + Math.ceil(content.size * UPLOAD_MS_PER_BYTE));
      const response = await send(`${artifact(runId, name)}${late}`, init, patience);
      const text = await textOf(response, url);
      if (!response.ok) throw failure(url, response.status, text);
    },
    async download(runId, name, { sha256, begun } = {}) {
      const [received, tag] = [begun?.bytes ?? 0, begun?.tag ?? null];
      const headers: Record<string, string> = received > 0 && tag !== null ? { range: `bytes=${received}-` } : {};
      const pinned = sha256 === undefined ? '' : `?sha256=${sha256}`;
      const waiting = new AbortController();
      const timer = setTimeout(() => waiting.abort(new Error(`no answer for ${TIMEOUT_MS / 1000} s`)), TIMEOUT_MS);
      const response = await send(`${artifact(runId, name)}${pinned}`, { headers }, waiting.signal).finally(() =>
        clearTimeout(timer),
      );
      const bytes = steadyBytes(response, { url, silenceMs: TIMEOUT_MS });
      const found = response.headers.get('etag');
      const goesOn = response.status === 206;
      // another content by now, or one without a rest
      if (response.status === 416 || (goesOn && found !== tag)) {
        if (begun !== undefined) begun.tag = null;
        throw new Unreachable(`${url} has changed ${name} meanwhile`);
      }
      if (!response.ok) throw failure(url, response.status, await (await blobOf(bytes)).text());
      return { goesOn, tag: found, sha256: sha256 ?? SHA256.exec(found ?? '')?.[1] ?? null, bytes };
    },
  };
}

interface Answer<Result> {
  data?: Result;
  errors?: { message: string; extensions?: { code?: string; path?: string } }[];
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

/** What an answer that is not Warren's says: of a page of a proxy, its title. */
function pageTitle(text: string): string {
  const title = /<title>(.*?)<\/title>/is.exec(text.slice(0, 4_000))?.[1] ?? text;
  return title.trim().replaceAll(/\s+/g, ' ').slice(0, 300);
}

function failure(url: string, status: number, text: string): Error {
  const error = answerOf(text)?.errors?.[0];
  const message = `${url} answers ${status}: ${error?.message ?? pageTitle(text)}`;
  const code = error?.extensions?.code;
  if (code !== undefined && NO_ROOM.has(code)) return new Refused(code, message);
  const passes = [408, 425, 429].includes(status) || status >= 500;
  return passes ? new Unreachable(message) : new Refused(code === 'CONFLICT' ? code : `HTTP_${status}`, message);
}
