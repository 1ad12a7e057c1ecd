import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DatasetInfo } from '#src/catalog/datasetInfo.ts';
import { knownDataset } from '#src/catalog/datasets.ts';
import { type FetchOptions, fetchDataset } from '#workers/runtime/compute/fetchDataset.ts';
import { newFolder } from '#test/unit/data/dataFiles.ts';
import { fileServer } from '#test/unit/base/platform/downloads/fileServer.ts';

const RATINGS = '1\t7\t5\t881250949\n1\t8\t4\t881250950\n2\t7\t3\t881250951\n';

/** MovieLens 100K with its home at `url`, and two empty folders. */
function missing(url: string, over: Partial<FetchOptions> = {}) {
  const folders = [newFolder(), newFolder()];
  const download = { url, sha256: null, maximumBytes: 1_000_000, unpack: null, saveAs: 'ml-100k-u.data' };
  const entry: DatasetInfo = { ...knownDataset('ml-100k')!, downloads: [download] };
  const told: string[] = [];
  const options: FetchOptions = {
    folders,
    reporter: { log: (_, text) => void told.push(text), progress: (_, text) => void told.push(text) },
    signal: new AbortController().signal,
    known: () => entry,
    backoffMs: 1,
    ...over,
  };
  return { folders, told, options, file: join(folders[1]!, 'ml-100k-u.data') };
}

test('a known dataset that is nowhere is fetched into the last folder, and says so', async () => {
  const server = await fileServer(RATINGS);
  const { options, told, file } = missing(server.url);
  expect(await fetchDataset('ml-100k', options)).toBe(true);
  expect(existsSync(file)).toBe(true);
  expect(told[0]).toContain(`fetching it from ${server.url}`);
  expect(told.at(-1)).toContain(`fetched ${file}`);
  expect(await fetchDataset('ml-100k', options)).toBe(false);
  expect(server.ranges).toHaveLength(1);
});

test('several that want it at once fetch it once', async () => {
  const server = await fileServer(RATINGS);
  const { options, file } = missing(server.url);
  await Promise.all([1, 2, 3].map(() => fetchDataset('ml-100k', options)));
  expect(server.ranges).toHaveLength(1);
  expect(existsSync(file)).toBe(true);
});

test('nothing is asked for what is there, generated, unknown, a set of texts, or to be fetched by a person', async () => {
  const server = await fileServer(RATINGS);
  const { options, folders } = missing(server.url);
  const entry = options.known!('ml-100k')!;
  expect(await fetchDataset('generated/markov-small', options)).toBe(false);
  expect(await fetchDataset('shop', { ...options, known: () => undefined })).toBe(false);
  expect(await fetchDataset('ml-100k', { ...options, folders: [] })).toBe(false);
  expect(await fetchDataset('ml-100k', { ...options, known: () => ({ ...entry, holds: 'text' }) })).toBe(false);
  expect(await fetchDataset('ml-100k', { ...options, known: () => ({ ...entry, downloads: [] }) })).toBe(false);
  writeFileSync(join(folders[0]!, 'ml-100k-u.data'), RATINGS);
  expect(await fetchDataset('ml-100k', options)).toBe(false);
  expect(server.ranges).toEqual([]);
});

test('a home that cannot be reached is asked once, and the error says what was searched, tried and can be done', async () => {
  const server = await fileServer(RATINGS);
  server.statuses.push(...Array.from({ length: 20 }, () => 503));
  const { options, folders } = missing(server.url);
  const failing = fetchDataset('ml-100k', options);
  await expect(failing).rejects.toMatchObject({ code: 'DATA_ERROR', path: 'dataset.name' });
  const message = await failing.then(String, String);
  for (const part of [...folders, server.url, '503', 'warren data download ml-100k']) expect(message).toContain(part);
  expect(server.ranges).toHaveLength(1);
  const closed = missing('http://127.0.0.1:1/x').options;
  await expect(fetchDataset('ml-100k', closed)).rejects.toMatchObject({ code: 'DATA_ERROR' });
});

test('a transfer that breaks off is taken up again where it ended', async () => {
  const lines = Array.from({ length: 20_000 }, (_, line) => `${line % 500}\t${line}\t5\t88125${line}\n`);
  const server = await fileServer(lines.join(''));
  server.breakAfter.push(200_000, 50_000);
  const { options, file } = missing(server.url);
  await fetchDataset('ml-100k', options);
  expect(readFileSync(file)).toEqual(server.content);
  expect(server.ranges[0]).toBeNull();
  expect(server.ranges.at(-1)).toMatch(/^bytes=\d+-$/);
});

test('what cannot be read is never put in place', async () => {
  const server = await fileServer('no ratings at all\n');
  const { options, folders } = missing(server.url);
  await expect(fetchDataset('ml-100k', options)).rejects.toMatchObject({ code: 'DATA_ERROR' });
  expect(readdirSync(folders[1]!)).toEqual(['.incoming']);
});

test('it can be cancelled on the way', async () => {
  const server = await fileServer(RATINGS);
  const cancelling = new AbortController();
  const reporter = { log: () => undefined, progress: () => cancelling.abort() };
  const { options, file } = missing(server.url, { signal: cancelling.signal, reporter });
  await expect(fetchDataset('ml-100k', options)).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(existsSync(file)).toBe(false);
});
