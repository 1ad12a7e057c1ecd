import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { openArtifactStore } from '#src/base/platform/artifacts/openArtifactStore.ts';
import { createScrubber } from '#src/server/loops/scrubber.ts';
import { apiForTests, jsonOf } from './support/apiForTests.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';

const api = await apiForTests();
const { ok } = api;

const BYTES = Buffer.from(Array.from({ length: 10_000 }, (_, index) => index % 251));
const SHA256 = createHash('sha256').update(BYTES).digest('hex');

async function createRun(): Promise<string> {
  return (await ok('mutation { createRun(input: {}) { id } }')).createRun.id;
}

const put = (path: string, init: RequestInit = {}) =>
  api.fetch(path, { method: 'PUT', body: BYTES, headers: { 'content-type': 'application/x-npy' }, ...init });

/** A path as it is written, which `fetch` would tidy up first. */
function rawPath(method: string, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: '127.0.0.1', port: api.server.port, path, method }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('storing', () => {
  test('a program stores a file of its run, which is then listed', async () => {
    const id = await createRun();
    const response = await put(`/artifacts/${id}/out/pr%C3%A9d%20ictions.npy`, {
      headers: { 'content-type': 'application/x-npy; v=1', 'x-content-sha256': SHA256.toUpperCase() },
    });
    expect(response.status).toBe(201);
    expect(await jsonOf(response)).toEqual({ sha256: SHA256, sizeBytes: BYTES.length });
    const { artifacts } = await ok(
      'query ($id: ID!) { artifacts(runId: $id) { name mediaType sha256 sizeBytes url } }',
      { id },
    );
    const [artifact] = artifacts;
    expect(artifact).toMatchObject({ name: 'out/préd ictions.npy', mediaType: 'application/x-npy', sha256: SHA256 });
    expect(Buffer.from(await (await api.fetch(artifact.url)).arrayBuffer()).equals(BYTES)).toBe(true);
  });

  test('content that is not what its checksum says is refused, and nothing is kept', async () => {
    const id = await createRun();
    const wrong = await put(`/artifacts/${id}/a`, { headers: { 'x-content-sha256': 'a'.repeat(64) } });
    expect(wrong.status).toBe(400);
    expect((await jsonOf(wrong)).errors[0].message).toContain(SHA256);
    expect((await put(`/artifacts/${id}/a`, { headers: { 'x-content-sha256': 'abc' } })).status).toBe(400);
    expect((await api.fetch(`/artifacts/${id}/a`)).status).toBe(404);
  });

  test('only the attempt that runs may store, and only while it runs', async () => {
    const id = await createRun();
    expect((await put(`/artifacts/${id}/a?attempt=1`)).status).toBe(201);
    expect((await put(`/artifacts/${id}/a?attempt=2`)).status).toBe(409);
    expect((await put(`/artifacts/${id}/a?attempt=x`)).status).toBe(400);
    await ok('mutation ($id: ID!) { finishRun(runId: $id) { id } }', { id });
    const late = await put(`/artifacts/${id}/a?attempt=1`);
    expect(late.status).toBe(409);
    expect((await jsonOf(late)).errors[0].extensions.code).toBe('CONFLICT');

    const { enqueueRuns } = await ok(
      'mutation { enqueueRuns(input: { kind: "popularity", dataset: { name: "generated/markov-small" } }) { id } }',
    );
    const queued = enqueueRuns[0].id;
    expect((await put(`/artifacts/${queued}/a`)).status).toBe(400);
    expect((await put(`/artifacts/${queued}/a?attempt=1`)).status).toBe(409);
    expect((await put('/artifacts/999999/a?attempt=1')).status).toBe(404);
  });

  test.each([
    '/artifacts/RUN/..',
    '/artifacts/RUN/../../etc/passwd',
    '/artifacts/RUN/%2e%2e/%2e%2e/secret',
    '/artifacts/RUN/a/..%2F..%2Fsecret',
    '/artifacts/RUN/a//b',
    '/artifacts/RUN/a%5C..%5Cb',
    '/artifacts/RUN/a%00b',
    '/artifacts/RUN/%zz',
  ])('a name that could point elsewhere is refused: %s', async (path) => {
    const place = path.replace('RUN', await createRun());
    expect(await rawPath('PUT', place)).toBe(400);
    expect(await rawPath('GET', place)).toBe(400);
  });
});

describe('reading', () => {
  const stored = (async () => {
    const id = await createRun();
    await put(`/artifacts/${id}/page.html`, { headers: { 'content-type': 'text/html' } });
    return `/artifacts/${id}/page.html`;
  })();
  const get = async (headers: Record<string, string> = {}, method = 'GET') =>
    api.fetch(await stored, { headers, method });

  test('the bytes come as a download that runs nothing, whatever they say they are', async () => {
    const { headers } = await get();
    expect(headers.get('content-type')).toMatch(/^text\/html/);
    expect(headers.get('content-disposition')).toBe('attachment; filename=page.html');
    expect(headers.get('content-security-policy')).toContain('sandbox');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('etag')).toBe(`"${SHA256}"`);
    expect(headers.get('accept-ranges')).toBe('bytes');
  });

  test('HEAD tells the same without the bytes', async () => {
    const response = await get({}, 'HEAD');
    expect(response.headers.get('content-length')).toBe('10000');
    expect((await response.arrayBuffer()).byteLength).toBe(0);
  });

  test.each([
    ['bytes=0-99', 0, 99],
    ['bytes=9900-', 9_900, 9_999],
    ['bytes=-1', 9_999, 9_999],
    ['bytes=9990-20000', 9_990, 9_999],
  ])('range %s', async (range, start, end) => {
    const response = await get({ range });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end}/10000`);
    expect(Buffer.from(await response.arrayBuffer()).equals(BYTES.subarray(start, end + 1))).toBe(true);
  });

  test('a range beyond the end cannot be had', async () => {
    const response = await get({ range: 'bytes=10000-' });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe('bytes */10000');
  });

  test('what the client has already is not sent again; a range of older bytes becomes the whole', async () => {
    expect((await get({ 'if-none-match': `"x", "${SHA256}"` })).status).toBe(304);
    expect((await get({ range: 'bytes=0-9', 'if-range': `"${SHA256}"` })).status).toBe(206);
    expect((await get({ range: 'bytes=0-9', 'if-range': '"other"' })).status).toBe(200);
  });

  test('what is not there is said to be missing', async () => {
    const id = await createRun();
    expect((await api.fetch(`/artifacts/${id}/none`)).status).toBe(404);
    expect((await api.fetch('/artifacts/nonsense/none')).status).toBe(404);
    expect((await api.fetch('/artifacts/')).status).toBe(404);
  });
});

test('a large file passes without being held in memory, and is stored once however often it is sent', async () => {
  const id = await createRun();
  const chunk = Buffer.alloc(1024 * 1024, 7);
  const body = () => Readable.toWeb(Readable.from(Array.from({ length: 64 }, () => chunk)));
  const send = (name: string) =>
    api.fetch(`/artifacts/${id}/${name}`, { method: 'PUT', body: body(), duplex: 'half' } as RequestInit);
  const first = await jsonOf(await send('a'));
  expect(first.sizeBytes).toBe(64 * 1024 * 1024);
  expect(await jsonOf(await send('b'))).toEqual(first);
});

describe('stored content that is damaged', () => {
  const flip = (bytes: Buffer): Buffer => {
    bytes[bytes.length - 1]! ^= 1;
    return bytes;
  };
  const cut = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length - 1);

  test.each([
    ['flipped', 10_001, flip],
    ['cut off', 10_002, cut],
    ['flipped, in a large file', 9 * 2 ** 20, flip],
  ])('%s: it is never given out, and storing the file again mends it', async (_how, size, damage) => {
    const id = await createRun();
    const body = Buffer.alloc(size, 7);
    const stored = await jsonOf(await put(`/artifacts/${id}/a`, { body }));
    const path = join(api.artifactFolder, stored.sha256.slice(0, 2), stored.sha256);
    writeFileSync(path, damage(readFileSync(path)));

    const bytes = await api
      .fetch(`/artifacts/${id}/a`)
      .then((response) => (response.ok ? response.arrayBuffer() : null))
      .catch(() => null);
    expect(bytes, 'no whole answer').toBeNull();
    const later = await api.fetch(`/artifacts/${id}/a`);
    expect(later.status).toBe(422);
    expect((await jsonOf(later)).errors[0]).toMatchObject({
      message: expect.stringContaining('is damaged; storing the file again mends that'),
      extensions: { code: 'DATA_ERROR' },
    });

    expect((await put(`/artifacts/${id}/a`, { body })).status).toBe(201);
    const mended = await api.fetch(`/artifacts/${id}/a`);
    expect(mended.status).toBe(200);
    expect(Buffer.from(await mended.arrayBuffer()).equals(body)).toBe(true);
  });

  test('is found without anybody reading it', async () => {
    const store = await openArtifactStore(temporaryFolder());
    const { sha256 } = await store.put(Readable.from([BYTES]), { maximumBytes: 1e6 });
    const path = join(store.place, sha256.slice(0, 2), sha256);
    writeFileSync(path, flip(readFileSync(path)));
    await createScrubber(store)();
    expect(await store.size(sha256)).toBeNull();
    await expect(store.read(sha256)).rejects.toMatchObject({ code: 'DATA_ERROR' });
  });
});
