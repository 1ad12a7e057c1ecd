import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

export interface FileServer {
  url: string;
  /** `Range` of each request, in order; null where it had none. */
  ranges: (string | null)[];
  /** May be changed between requests. */
  content: Buffer;
  etag: string;
  /** Bytes after which each of the next connections breaks off; empty for none. */
  breakAfter: number[];
  /** Answered instead, by each of the next requests. */
  statuses: number[];
  /** Leaves `Content-Length` out. */
  withoutLength: boolean;
}

/** A server of one file that takes ranges, with an ETag, and that fails as it is told. */
export async function fileServer(content: string | Buffer): Promise<FileServer> {
  const state: FileServer = {
    url: '',
    ranges: [],
    content: Buffer.from(content),
    etag: '"one"',
    breakAfter: [],
    statuses: [],
    withoutLength: false,
  };
  const server = createServer((request, response) => answer(state, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/data.bin`;
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return state;
}

function answer(state: FileServer, request: IncomingMessage, response: ServerResponse): void {
  state.ranges.push(request.headers.range ?? null);
  const status = state.statuses.shift();
  if (status !== undefined) {
    response.writeHead(status).end();
    return;
  }
  const match = /^bytes=(\d+)-$/.exec(request.headers.range ?? '');
  const same = request.headers['if-range'] === state.etag;
  const start = match !== null && same ? Number(match[1]) : 0;
  const body = state.content.subarray(start);
  response.writeHead(start > 0 ? 206 : 200, {
    etag: state.etag,
    ...(state.withoutLength ? {} : { 'content-length': body.length }),
    ...(start > 0 ? { 'content-range': `bytes ${start}-${state.content.length - 1}/${state.content.length}` } : {}),
  });
  const breakAfter = state.breakAfter.shift();
  if (breakAfter === undefined) response.end(body);
  else response.write(body.subarray(0, breakAfter), () => setImmediate(() => response.destroy()));
}
