import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import type { DatasetSelection } from '#src/catalog/datasetSelection.ts';
import { type LoadOptions, loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import { fileWith, newFolder, selectionOf, sequencesOf } from '../dataFiles.ts';

const HEADER = 'user,item,rating,timestamp\n';

async function load(lines: string[], over: Partial<DatasetSelection> = {}, options: Partial<LoadOptions> = {}) {
  const path = fileWith(HEADER + lines.map((line) => `${line}\n`).join(''), 'shop.csv');
  const warnings: string[] = [];
  const dataset = await loadSequenceDataset(selectionOf('shop', over), {
    folders: [dirname(path)],
    cacheFolder: null,
    warn: (text) => warnings.push(text),
    ...options,
  });
  return { dataset, sequences: sequencesOf(dataset), preparation: dataset.preparation, warnings };
}

const RATED = ['a,1,5,1', 'a,2,3,2', 'a,3,4,3', 'b,1,2,1', 'b,3,4.5,2'];

test('a minimum rating leaves the interactions that reach it', async () => {
  const { sequences, preparation, dataset } = await load(RATED, { minimumRating: 4 });
  expect(sequences).toEqual([['1', '3'], ['3']]);
  expect(preparation).toMatchObject({ read: { users: 2, items: 3, interactions: 5 }, belowMinimumRating: 2 });
  expect(dataset.itemIds).toEqual(['1', '3']);
});

test('without ratings, or with none that is high enough, a minimum rating says so', async () => {
  await expect(load(RATED, { minimumRating: 6 })).rejects.toMatchObject({
    code: 'DATA_ERROR',
    path: 'dataset.minimumRating',
    message: expect.stringMatching(/no interaction has a rating of 6 or more \(2 users, 3 items, 5 interactions/),
  });
  const path = fileWith('1 2 3\n', 'plain.txt');
  await expect(
    loadSequenceDataset(selectionOf('plain', { minimumRating: 4 }), { folders: [dirname(path)], cacheFolder: null }),
  ).rejects.toMatchObject({ code: 'DATA_ERROR', message: expect.stringMatching(/has no ratings/) });
});

const REPEATED = ['a,1,5,30', 'a,2,5,20', 'a,1,5,10', 'a,2,5,20', 'b,1,5,1'];

test.each([
  ['keep', [['1', '2', '2', '1'], ['1']], 0, 2],
  ['first', [['1', '2'], ['1']], 2, 0],
  ['last', [['2', '1'], ['1']], 2, 0],
] as const)('duplicates: %s', async (duplicates, expected, duplicatesRemoved, repeats) => {
  const { sequences, preparation } = await load(REPEATED, { duplicates });
  expect(sequences).toEqual(expected);
  expect(preparation).toMatchObject({ duplicatesRemoved, repeats });
});

test('one pass counts once, the iterative core until nothing is below it', async () => {
  // item 9 has one interaction; without it user c has one
  const lines = ['a,1,5,1', 'a,2,5,2', 'b,1,5,1', 'b,2,5,2', 'c,1,5,1', 'c,9,5,2'];
  const once = await load(lines, { core: 2, coreRule: 'one-pass' });
  expect(once.sequences).toEqual([['1', '2'], ['1', '2'], ['1']]);
  expect(once.preparation?.belowCore).toEqual({ users: 0, items: 1, interactions: 1 });
  const again = await load(lines, { core: 2 });
  expect(again.sequences).toEqual([
    ['1', '2'],
    ['1', '2'],
  ]);
  expect(again.preparation?.belowCore).toEqual({ users: 1, items: 1, interactions: 2 });
});

test('a maximum length keeps the last interactions, with their times, and the numbers of items', async () => {
  const { sequences, dataset, preparation } = await load(RATED, { maximumLength: 2 });
  expect(sequences).toEqual([
    ['2', '3'],
    ['1', '3'],
  ]);
  expect([...(dataset.times ?? [])]).toEqual([2, 3, 1, 2]);
  expect(dataset.itemCount).toBe(3);
  expect(preparation?.cutByLength).toBe(1);
});

test('ties in time and unsorted users are counted, and ties at the end are warned of', async () => {
  const { preparation, warnings } = await load(['a,1,5,10', 'a,2,5,10', 'a,3,5,9', 'b,1,5,1', 'b,2,5,2', 'c,1,5,4']);
  expect(preparation).toMatchObject({
    ties: { interactions: 2, users: 1, lastItems: 1 },
    unsortedUsers: 1,
    singleItemUsers: 1,
  });
  expect(warnings).toEqual([expect.stringMatching(/the last interaction of 1 of 3 users shares its time/)]);
});

test('bad lines are all told of at once; lenient reading leaves them out and keeps which', async () => {
  const lines = [...RATED, ...Array.from({ length: 14 }, (_, index) => `x,${index},high,1`)];
  await expect(load(lines)).rejects.toMatchObject({
    code: 'DATA_ERROR',
    message: expect.stringMatching(
      /14 lines cannot be read:\n.*shop\.csv:7: found "high" in column 3, expected a number \(rating\)[^\n]*\n(.*\n){9} {2}and 4 more\n/,
    ),
  });
  const { sequences, preparation, warnings } = await load(lines, { lenient: true });
  expect(sequences).toEqual([
    ['1', '2', '3'],
    ['1', '3'],
  ]);
  expect(preparation?.skippedLines).toMatchObject({ count: 14 });
  expect(preparation?.skippedLines?.first.map(({ line }) => line)).toEqual([7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
  expect(warnings[0]).toMatch(/14 lines were skipped, the first line 7: found "high"/);
});

test('what preprocessing did, and times, survive the cache', async () => {
  const path = fileWith(`${HEADER}${RATED.join('\n')}\n`, 'shop.csv');
  const options = { folders: [dirname(path)], cacheFolder: newFolder() };
  const selection = selectionOf('shop', { minimumRating: 3 });
  const first = await loadSequenceDataset(selection, options);
  expect(first.times).toBeInstanceOf(Float64Array);
  expect(await loadSequenceDataset(selection, options)).toEqual(first);
});

test('data without any order can be counted, and used where order plays no part', async () => {
  const path = fileWith('User_ID\tGame_ID\tPurchase\n1\t8\t1.0\n1\t9\t1.0\n', 'steam-purchases.dat');
  const options = { folders: [dirname(path)], cacheFolder: null };
  const counted = await loadSequenceDataset(selectionOf('steam-purchases'), { ...options, countOnly: true });
  expect(counted.preparation?.ties).toBeNull();
  expect(sequencesOf(counted)).toEqual([['8', '9']]);
  await loadSequenceDataset(selectionOf('steam-purchases', { split: 'random-by-item' }), options);
  await expect(loadSequenceDataset(selectionOf('steam-purchases'), options)).rejects.toThrow(/has no time order/);
});
