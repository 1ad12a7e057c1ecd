import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readableDatasets } from '#workers/data/load/readableDatasets.ts';
import { newFolder } from '../dataFiles.ts';

test('names are those by which files and those of subfolders can be asked for', async () => {
  const [first, second] = [newFolder(), newFolder()];
  for (const file of ['my-shop.csv', 'clicks-sequences.txt.gz', 'README.md', 'shop/shop.tsv', 'group/songs.jsonl']) {
    mkdirSync(join(first, file, '..'), { recursive: true });
    writeFileSync(join(first, file), '');
  }
  writeFileSync(join(second, 'other.inter'), '');
  symlinkSync(second, join(first, 'linked'));
  expect(await readableDatasets([first, second, join(first, 'not-there')])).toEqual([
    'clicks',
    'clicks-sequences',
    'group/songs',
    'linked/other',
    'my-shop',
    'other',
    'shop',
    'shop/shop',
  ]);
});

test('a worker with a thousand files and more does not say which they are', async () => {
  const folder = newFolder();
  for (let i = 0; i <= 1_000; i++) writeFileSync(join(folder, `${i}.csv`), '');
  expect(await readableDatasets([folder])).toBeNull();
});
