import type { IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';

export interface PostAnswer {
  status: number;
  text: string;
  /** The value of a header by its name in lower case; null without it. */
  header(name: string): string | null;
}

export interface PostOptions {
  headers: Record<string, string>;
  body: string;
  /** Ends the request, also while its answer comes. */
  signal: AbortSignal;
}

/**
 * Posts a text and reads the answer's. As `fetch` does, whose first use costs a short command more of the processor than all else
 * that it does. Throws where no connection was made or it broke, and the signal's
 * reason where that ended it.
 */
export async function postText(url: string, { headers, body, signal }: PostOptions): Promise<PostAnswer> {
  const { request } = url.startsWith('https:') ? await import('node:https') : await import('node:http');
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sizes = { 'content-length': String(Buffer.byteLength(body)), 'accept-encoding': 'gzip' };
    request(url, { method: 'POST', headers: { ...headers, ...sizes }, signal })
      .once('response', resolve)
      .on('error', (error) => reject(whyEnded(error, signal)))
      .end(body);
  });
  const status = answer.statusCode ?? 0;
  if (status >= 300 && status < 400) {
    answer.destroy();
    return await postByFetch(url, { headers, body, signal });
  }
  return {
    status,
    text: await readText(answer).catch((error: unknown) => Promise.reject(whyEnded(error, signal))),
    header: (name) => [answer.headers[name] ?? null].flat()[0] ?? null,
  };
}

/** What the signal says where it has ended the request: `fetch` throws that, and `request` an error of its own. */
function whyEnded(error: unknown, { aborted, reason }: AbortSignal): unknown {
  return aborted ? reason : error;
}

async function readText(answer: IncomingMessage): Promise<string> {
  if (answer.headers['content-encoding'] !== 'gzip') return await textOf(answer);
  const [{ createGunzip }, { pipeline }] = await Promise.all([import('node:zlib'), import('node:stream/promises')]);
  return await pipeline(answer, createGunzip(), textOf);
}

/** Where the address leads elsewhere: `fetch` knows what may be sent there. */
async function postByFetch(url: string, { headers, body, signal }: PostOptions): Promise<PostAnswer> {
  const answer = await fetch(url, { method: 'POST', headers, body, signal });
  return { status: answer.status, text: await answer.text(), header: (name) => answer.headers.get(name) };
}
