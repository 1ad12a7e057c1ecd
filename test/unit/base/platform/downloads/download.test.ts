import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type DownloadOptions, download } from '#src/base/platform/downloads/download.ts';
import { newFolder } from '#test/unit/data/dataFiles.ts';
import { fileServer } from './fileServer.ts';

const CONTENT = Buffer.from(Array.from({ length: 300_000 }, (_, place) => (place * 7) % 251));
const SHA256 = createHash('sha256').update(CONTENT).digest('hex');

function target(over: Partial<DownloadOptions> = {}) {
  const folder = newFolder();
  const options = { sha256: SHA256, maximumBytes: 1_000_000, retries: 3, backoffMs: 1, ...over };
  return { folder, path: join(folder, 'data.bin'), options };
}

test('fetches a file, says how far it is, and leaves only the file', async () => {
  const server = await fileServer(CONTENT);
  const seen: [number, number | null][] = [];
  const { folder, path, options } = target({ onProgress: (received, total) => seen.push([received, total]) });
  expect(await download(server.url, path, options)).toEqual({
    sha256: SHA256,
    sizeBytes: CONTENT.length,
    resumedBytes: 0,
  });
  expect(readFileSync(path).equals(CONTENT)).toBe(true);
  expect(readdirSync(folder)).toEqual(['data.bin']);
  expect(seen.at(-1)).toEqual([CONTENT.length, CONTENT.length]);
});

test('takes a connection that broke off up again where it ended', async () => {
  const server = await fileServer(CONTENT);
  // fetch drops what it has not handed on when a connection breaks, in newer Nodes up to 100 KB
  server.breakAfter.push(200_000, 50_000);
  const { path, options } = target();
  await download(server.url, path, options);
  expect(readFileSync(path).equals(CONTENT)).toBe(true);
  expect(server.ranges[0]).toBeNull();
  expect(server.ranges.slice(1).every((range) => /^bytes=\d+-$/.test(range ?? ''))).toBe(true);
});

test('a later call takes up what an earlier one left', async () => {
  const server = await fileServer(CONTENT);
  server.breakAfter.push(200_000);
  const { folder, path, options } = target({ retries: 0 });
  await expect(download(server.url, path, options)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(readdirSync(folder)).toContain('data.bin.part');
  const { resumedBytes } = await download(server.url, path, options);
  expect(resumedBytes).toBeGreaterThan(0);
  expect(readFileSync(path).equals(CONTENT)).toBe(true);
});

test('what the server has changed meanwhile is fetched from the start', async () => {
  const server = await fileServer(Buffer.alloc(CONTENT.length, 1));
  server.breakAfter.push(200_000);
  const { path, options } = target({ retries: 0 });
  await expect(download(server.url, path, options)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  server.content = CONTENT;
  server.etag = '"two"';
  await download(server.url, path, options);
  expect(readFileSync(path).equals(CONTENT)).toBe(true);
});

test('another checksum is refused and nothing is kept', async () => {
  const server = await fileServer('something else');
  const { folder, path, options } = target();
  await expect(download(server.url, path, options)).rejects.toMatchObject({
    code: 'DATA_ERROR',
    message: expect.stringMatching(/has sha256 [0-9a-f]{64}, expected/),
  });
  expect(readdirSync(folder)).toEqual([]);
});

test.each([false, true])('more than the limit is refused, told beforehand or not (%s)', async (withoutLength) => {
  const server = await fileServer(CONTENT);
  server.withoutLength = withoutLength;
  const { folder, path, options } = target({ maximumBytes: 1000 });
  await expect(download(server.url, path, options)).rejects.toMatchObject({ code: 'TOO_LARGE' });
  expect(readdirSync(folder)).toEqual([]);
});

test('a busy server is asked again, a missing file is not', async () => {
  const server = await fileServer(CONTENT);
  server.statuses.push(503, 429);
  const { path, options } = target();
  await download(server.url, path, options);
  expect(server.ranges).toHaveLength(3);
  server.statuses.push(404);
  await expect(download(server.url, `${path}2`, options)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(server.ranges).toHaveLength(4);
});

test('a server that is not there is named', async () => {
  const { path, options } = target({ retries: 1 });
  await expect(download('http://127.0.0.1:9/data.bin', path, options)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('http://127.0.0.1:9/data.bin'),
  });
});
