import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { DatasetInfo, Download } from '#src/catalog/datasetInfo.ts';
import { knownDataset } from '#src/catalog/datasets.ts';
import { downloadDataset } from '#src/datasets/downloadDataset.ts';
import { newFolder } from '#test/unit/data/dataFiles.ts';
import { fileServer } from '#test/unit/base/platform/downloads/fileServer.ts';
import { zipOf } from '#test/unit/base/platform/downloads/zipForTests.ts';

function datasetFrom(download: Partial<Download> & { url: string }): DatasetInfo {
  const whole: Download = { sha256: null, maximumBytes: 1_000_000, unpack: null, saveAs: 'x.zip', ...download };
  return { ...knownDataset('ml-100k')!, downloads: [whole] };
}

function request(over: { verify?: (folder: string) => Promise<void> } = {}) {
  const folder = newFolder();
  const verified: string[][] = [];
  const verify = async (staged: string) => void verified.push(readdirSync(staged));
  return { folder, verified, ask: { folder, verify, onProgress: () => undefined, retry: { retries: 0 }, ...over } };
}

test('a zip is fetched, unpacked, read, and only then put in place', async () => {
  const archive = zipOf([{ name: 'ml-100k/u.data', content: '1\t2\t3\t4\n' }]);
  const server = await fileServer(archive);
  const { folder, verified, ask } = request();
  const unpack = { 'ml-100k/u.data': 'ml-100k-u.data' };
  const { paths, downloads } = await downloadDataset(datasetFrom({ url: server.url, unpack }), ask);
  expect(verified).toEqual([['ml-100k-u.data']]);
  expect(paths).toEqual([join(folder, 'ml-100k-u.data')]);
  expect(downloads[0]?.sha256).toBe(createHash('sha256').update(archive).digest('hex'));
  expect(existsSync(join(folder, '.incoming', 'ml-100k'))).toBe(false);
});

test('a gzipped file is kept as it is, in the folder that its name says', async () => {
  const server = await fileServer(gzipSync('1 2 3\n'));
  const { folder, ask } = request();
  await downloadDataset(datasetFrom({ url: server.url, saveAs: 'ucr/a.txt.gz' }), ask);
  expect(readFileSync(join(folder, 'ucr', 'a.txt.gz'))).toEqual(server.content);
});

test('what cannot be read is never put in place', async () => {
  const server = await fileServer('garbage');
  const verify = async (): Promise<void> => {
    throw new Error('not readable');
  };
  const { folder, ask } = request({ verify });
  await expect(downloadDataset(datasetFrom({ url: server.url, saveAs: 'a.txt' }), ask)).rejects.toThrow('not readable');
  expect(readdirSync(folder)).toEqual(['.incoming']);
});

test('a dataset whose home wants a person says where to go and what to call the file', async () => {
  const { ask } = request();
  await expect(downloadDataset(knownDataset('steam-purchases')!, ask)).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: expect.stringMatching(/kaggle\.com.* as steam-purchases\.dat/),
  });
});

test('of several at once one fetches, and the others wait and find it there', async () => {
  const server = await fileServer('1 2 3\n');
  const { folder, verified, ask } = request();
  let waits = 0;
  const isPresent = (): boolean => existsSync(join(folder, 'a.txt'));
  const each = { ...ask, isPresent, onWait: () => void waits++ };
  const dataset = datasetFrom({ url: server.url, saveAs: 'a.txt' });
  const all = await Promise.all([1, 2, 3].map(() => downloadDataset(dataset, each)));
  expect(all.flatMap(({ paths }) => paths)).toEqual([join(folder, 'a.txt')]);
  expect([waits, verified.length, server.ranges.length]).toEqual([2, 1, 1]);
  expect(readdirSync(join(folder, '.incoming'))).toEqual([]);
});
