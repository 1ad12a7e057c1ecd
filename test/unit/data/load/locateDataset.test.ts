import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { datasetsPresent, locateDataset } from '#workers/data/load/locateDataset.ts';
import { newFolder } from '../dataFiles.ts';

function folderWith(...files: string[]): string {
  const folder = newFolder();
  for (const file of files) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), '');
  }
  return folder;
}

test.each([
  ['amazon-beauty', 'amazon-beauty.txt.gz', 'sequences'],
  ['Amazon-Beauty', 'amazon-beauty.txt', 'sequences'],
  ['amazon-beauty', 'Beauty.txt', 'sequences'],
  ['amazon-toys-and-games', 'Toys_and_Games.txt', 'sequences'],
  ['amazon-toys', 'amazon-toys-and-games.txt.gz', 'sequences'],
  ['amazon-clothing-shoes-and-jewelry', 'amazon-clothing-shoes-and-jewelry.csv', 'table'],
  ['ml-1m', 'ml-1m-sequences.txt.gz', 'sequences'],
  ['ml-1m', 'ml-1m-ratings.csv.gz', 'table'],
  ['ml-100k', 'ml-100k.inter.gz', 'table'],
  ['ml-latest-small', 'ml-latest-small-ratings.csv.gz', 'table'],
  ['steam-leporid-validation', 'steam-leporid-validation.txt.gz', 'user-item-rating-time'],
  ['anime-history', 'anime-history.dat.gz', 'unordered'],
  ['my-shop', 'my-shop.csv', 'table'],
  ['my-shop', 'my-shop-ratings.csv.gz', 'table'],
  ['my-shop', 'my-shop/my-shop.tsv', 'table'],
  ['shop/clicks', 'shop/clicks.txt', 'sequences'],
  ['shop/clicks.inter', 'shop/clicks.inter', 'table'],
])('finds %s as %s', (name, file, format) => {
  const folder = folderWith(file);
  expect(locateDataset(name, [newFolder(), folder])).toMatchObject({ path: join(folder, file), format });
});

test('the first folder that has it wins', () => {
  const [first, second] = [folderWith('ml-1m-ratings.csv'), folderWith('ml-1m-sequences.txt')];
  expect(locateDataset('ml-1m', [first, second]).path).toBe(join(first, 'ml-1m-ratings.csv'));
});

test('an unknown name gets the folders that were searched and what may have been meant', () => {
  const folder = folderWith('amazon-beauty.txt.gz', 'steam-purchases.dat.gz', 'my-shop.csv');
  const refusal = (name: string): string => {
    try {
      return locateDataset(name, [folder]).path;
    } catch (thrown) {
      return String(thrown);
    }
  };
  expect(refusal('amazon-beuty')).toContain(folder);
  expect(refusal('amazon-beuty')).toContain('Did you mean "amazon-beauty"?');
  expect(refusal('steam')).toContain('"steam-purchases"');
  expect(refusal('my_shop')).toContain('Did you mean "my-shop"?');
  expect(refusal('generated/markov-smal')).toContain('"generated/markov-small"');
});

test('a known dataset that is not there gets its public home', () => {
  expect(() => locateDataset('ml-100k', [newFolder()])).toThrow(
    /was not found: .*ml-100k\.inter.*https:\/\/grouplens\.org/,
  );
});

test('with no folders says how to name one', () => {
  expect(() => locateDataset('ml-100k', [])).toThrow(/set WARREN_DATA/);
});

test.each(['../secret', 'a/../../b', 'a//b', '.', 'a/.'])('does not leave the folders for %s', (name) => {
  const folder = folderWith('inside/a.txt', 'secret.txt');
  expect(() => locateDataset(name, [join(folder, 'inside')])).toThrow(/expected NAME or group\/NAME/);
});

test('lists what is there', () => {
  const folder = folderWith('amazon-beauty.txt.gz', 'my-shop.csv', 'notes.md');
  expect(datasetsPresent([folder, '/no/such/folder'])).toEqual(['amazon-beauty', 'my-shop']);
});
