import { expect, test } from 'vitest';
import { readJson } from '#workers/data/read/readJson.ts';
import { readTable } from '#workers/data/read/readTable.ts';
import type { Interactions } from '#workers/data/prepare/interactions.ts';
import { fileWith } from '../dataFiles.ts';
import { COLUMNAR, NESTED_PARQUET, PACKED } from './packedFiles.ts';

const rowsOf = ({ users, items, userIds, itemIds, times }: Interactions) =>
  Array.from(users, (user, row) => [userIds[user], itemIds[items[row]!], times?.[row]]);

const bytesOf = (base64: string): Buffer => Buffer.from(base64, 'base64');

test.each(Object.entries(PACKED))('what is packed by %s is read, from a file and from memory', async (_, base64) => {
  const expected = [
    ['1', 'a,b', 1_404_279_348],
    ['1', 'c', 1_404_279_349],
  ];
  expect(rowsOf(await readTable(fileWith(bytesOf(base64), 'ratings.csv')))).toEqual(expected);
  expect(rowsOf(await readTable('ratings.csv', null, { bytes: bytesOf(base64) }))).toEqual(expected);
});

test.each(Object.entries(PACKED))('a file of %s that is cut off is refused', async (_, base64) => {
  const whole = bytesOf(base64);
  const path = fileWith(whole.subarray(0, whole.length - 12), 'ratings.csv');
  await expect(readTable(path)).rejects.toMatchObject({ code: 'DATA_ERROR', message: expect.stringContaining(path) });
});

test.each(Object.entries(COLUMNAR))(
  '%s: whole numbers of 64 bits keep their digits, times their moment',
  async (_, base64) => {
    const read = await readTable(fileWith(bytesOf(base64), 'ratings'));
    expect(rowsOf(read)).toEqual([
      ['9007199254740993', 'a,b', 1_404_279_348_000],
      ['9007199254740993', 'c', 1_404_279_349_000],
      ['7', 'a,b', 1_404_279_350_000],
    ]);
    expect(read.understanding?.times).toBe('milliseconds since 1970');
  },
);

test('lists of a column are read with their times', async () => {
  expect(rowsOf(await readJson(fileWith(bytesOf(NESTED_PARQUET), 'ratings')))).toEqual([
    ['1', '5', 10],
    ['1', '6', 20],
    ['2', '7', 5],
  ]);
});
