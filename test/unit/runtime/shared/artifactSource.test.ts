import { createHash } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { readArtifact } from '#workers/runtime/shared/artifactSource.ts';
import { finalDownloadFailures, httpFailure, LinkRefusal } from '#workers/runtime/shared/httpFailure.ts';

const bytes = Buffer.from('what a run has left');
const sha256 = createHash('sha256').update(bytes).digest('hex');
const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** The address of a server. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function read(url: string): Promise<{ text: string; errors: string[] }> {
  const errors: string[] = [];
  const onRetry = (error: Error) => void errors.push(error.message);
  const content = await readArtifact(
    { name: 'a', url: `${url}/a`, sha256, sizeBytes: bytes.byteLength },
    { headers: {}, onRetry },
  );
  return { text: Buffer.from(content).toString(), errors };
}

test('a store that refuses a signed link is asked again with another one', async () => {
  const store = await serve((request, response) => {
    if (request.url === '/link-1') response.writeHead(403).end('<Code>RequestTimeTooSkewed</Code>');
    else response.end(bytes);
  });
  let links = 0;
  const api = await serve((_request, response) => {
    links += 1;
    response.writeHead(307, { location: `${store}/link-${links}` }).end();
  });
  const { text, errors } = await read(api);
  expect(text).toBe(bytes.toString());
  expect(errors).toEqual([expect.stringMatching(/^artifact a cannot be read: the store at \S+ refused .*TooSkewed/)]);
  expect(errors[0]).not.toContain('WARREN_TOKEN');
});

test('the API that refuses is asked once', async () => {
  let asked = 0;
  const api = await serve((_request, response) => {
    asked += 1;
    response.writeHead(403).end('no');
  });
  await expect(read(api)).rejects.toMatchObject({
    code: 'FORBIDDEN',
    message: expect.stringContaining('WARREN_TOKEN'),
  });
  expect(asked).toBe(1);
});

test('a store that goes on refusing is final after five minutes, another trouble never', () => {
  let nowMs = 0;
  const isFinal = finalDownloadFailures(() => nowMs);
  const refusal = new LinkRefusal('a', { host: 'store', status: 403, body: '' });
  const away = httpFailure('a', { status: 503, body: '' });
  const at = (ms: number, thrown: unknown) => {
    nowMs = ms;
    return isFinal(thrown);
  };
  expect([at(0, refusal), at(299_000, refusal), at(299_500, away), at(600_000, refusal)]).toEqual(Array(4).fill(false));
  expect([at(899_000, refusal), at(900_001, refusal)]).toEqual([false, true]);
  expect(isFinal(httpFailure('a', { status: 404, body: '' }))).toBe(true);
});
