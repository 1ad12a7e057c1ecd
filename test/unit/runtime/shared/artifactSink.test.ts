import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ArtifactReport } from '#src/base/contracts/reports.ts';
import { storeArtifact } from '#workers/runtime/shared/artifactSink.ts';

const bytes = Buffer.alloc(300_000, 'x');
const sha256 = createHash('sha256').update(bytes).digest('hex');
const report: ArtifactReport = {
  type: 'artifact',
  name: 'folder/a b.bin',
  role: 'output',
  mediaType: 'x/y',
  sha256,
  sizeBytes: bytes.byteLength,
};

let folder: string;
let server: Server;
/** What the server answers, one after the other; the last for ever. */
let answers: { status: number; body: string }[];
let received: { url: string; authorization: string | undefined; size: number }[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'warren-sink-'));
  await writeFile(join(folder, 'file'), bytes);
  received = [];
  server = createServer(async (request, response) => {
    const body = await buffer(request);
    received.push({ url: request.url ?? '', authorization: request.headers.authorization, size: body.byteLength });
    const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? { status: 500, body: '' };
    response.writeHead(answer.status).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

async function store(signal = new AbortController().signal): Promise<number> {
  let retries = 0;
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/artifacts/run`;
  const sink = { baseUrl, headers: { authorization: 'Bearer token' } };
  await storeArtifact(join(folder, 'file'), report, { sink, attempt: 3, signal, onRetry: () => retries++ });
  return retries;
}

describe('storing an artifact', () => {
  test('sends the bytes with attempt and token', async () => {
    answers = [{ status: 201, body: JSON.stringify({ sha256, sizeBytes: bytes.byteLength }) }];
    expect(await store()).toBe(0);
    expect(received).toEqual([
      { url: '/artifacts/run/folder/a%20b.bin?attempt=3', authorization: 'Bearer token', size: bytes.byteLength },
    ]);
  });

  test('tries again while the API is unwell, and when other bytes have arrived', async () => {
    answers = [
      { status: 503, body: 'away' },
      { status: 201, body: JSON.stringify({ sha256: 'f'.repeat(64) }) },
      { status: 201, body: JSON.stringify({ sha256 }) },
    ];
    expect(await store()).toBe(2);
  });

  test.each([
    [401, 'UNAUTHENTICATED', 'WARREN_TOKEN'],
    [409, 'LEASE_LOST', 'no longer'],
    [413, 'TOO_LARGE', 'no longer'],
  ])('gives up when the API says %d', async (status, code, words) => {
    answers = [{ status, body: 'no longer' }];
    await expect(store()).rejects.toMatchObject({ code, message: expect.stringContaining(words) });
    expect(received).toHaveLength(1);
  });

  test('stops trying when the run is cancelled', async () => {
    const abort = new AbortController();
    answers = [{ status: 503, body: 'away' }];
    const storing = store(abort.signal);
    setImmediate(() => abort.abort(new Error('cancelled')));
    await expect(storing).rejects.toThrow(/cancelled|abort/);
  });

  test('copies into a folder when there is no API', async () => {
    const options = { attempt: 1, signal: new AbortController().signal, onRetry: () => undefined };
    await storeArtifact(join(folder, 'file'), report, { ...options, sink: { folder: join(folder, 'out') } });
    expect(await readFile(join(folder, 'out', report.name))).toEqual(bytes);
  });
});
