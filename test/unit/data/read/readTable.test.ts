import { expect, test } from 'vitest';
import { coreFilter } from '#workers/data/prepare/coreFilter.ts';
import { groupByUser } from '#workers/data/prepare/groupByUser.ts';
import { readTable } from '#workers/data/read/readTable.ts';
import { fileWith, sequencesOf } from '../dataFiles.ts';

async function read(text: string | Buffer, name = 'table.csv') {
  const interactions = await readTable(fileWith(text, name));
  const rows = groupByUser(interactions, coreFilter(interactions, 0));
  return { ...rows, sequences: sequencesOf(rows) };
}

test.each([
  ['MovieLens CSV', 'userId,movieId,rating,timestamp\n5,70,4.5,20\n5,60,3,10\n6,70,1,5\n'],
  ['an order column', 'userId,movieId,rating,order\n5,70,4.5,2\n5,60,3,1\n6,70,1,1\n'],
  [
    'RecBole',
    'user_id:token\titem_id:token\trating:float\ttimestamp:float\n5\t70\t4.5\t20\n5\t60\t3\t1e1\n6\t70\t1\t5\n',
  ],
  ['semicolons and another order of columns', 'time;item;user\n20;70;5\n10.0;60;5\n5;70;6\n'],
  ['quotes', 'userId,movieId,title,timestamp\n5,70,"a, ""b""",20\n"5",60,x,10\n6,70,,5\n'],
  ['carriage returns', 'userId,movieId,timestamp\r\n5,70,20\r\n5,60,10\r\n6,70,5\r\n'],
])('reads %s into sequences in time order', async (_, text) => {
  const { sequences, userIds } = await read(text);
  expect(userIds).toEqual(['5', '6']);
  expect(sequences).toEqual([['60', '70'], ['70']]);
});

test('reads ids that are text, and keeps 7 and 007 apart', async () => {
  const { userIds, sequences } = await read('user,item,time\nAnna,7,1\nAnna,007,2\nÅsa,B00X,1\n');
  expect(userIds).toEqual(['Anna', 'Åsa']);
  expect(sequences).toEqual([['7', '007'], ['B00X']]);
});

test('keeps the order of the file where times are equal', async () => {
  const lines = Array.from({ length: 40 }, (_, index) => `1,${100 - index},${Math.floor(index / 10) % 2}`);
  const { sequences } = await read(`user,item,time\n${lines.join('\n')}\n`);
  const early = lines.filter((line) => line.endsWith(',0'));
  const late = lines.filter((line) => line.endsWith(',1'));
  expect(sequences[0]).toEqual([...early, ...late].map((line) => line.split(',')[1]));
});

test('numbers users and items by first appearance in the file', async () => {
  const { userIds, itemIds } = await read('user,item,time\n9,5,2\n8,4,1\n9,3,1\n');
  expect(userIds).toEqual(['9', '8']);
  expect(itemIds).toEqual(['5', '4', '3']);
});

test('numbers by first appearance among the interactions that a filter leaves', async () => {
  const text = 'user,item,time\n1,50,1\n2,50,1\n3,40,1\n2,40,2\n2,30,3\n3,30,3\n';
  const interactions = await readTable(fileWith(text, 'table.csv'));
  // user 1 has one interaction; without it item 50 has one; then users 2 and 3 share 40 and 30
  const rows = groupByUser(interactions, coreFilter(interactions, 2));
  expect(rows.userIds).toEqual(['3', '2']);
  expect(rows.itemIds).toEqual(['40', '30']);
  expect(sequencesOf(rows)).toEqual([
    ['40', '30'],
    ['40', '30'],
  ]);
});

test('reads a table without a header through given columns', async () => {
  const path = fileWith('4 8 1 200\n4 9 1 100\n');
  const read = await readTable(path, { user: 0, item: 1, rating: 2, time: 3, count: 4, separator: ' ' });
  expect(sequencesOf(groupByUser(read, coreFilter(read, 0)))).toEqual([['9', '8']]);
});

test.each([
  [
    'a letter in the time',
    'user,item,time\n1,2,3\n1,3,x\n',
    /:3: found "x" in column 3, expected a number as in line 2 \("3"\), since a file has one form of times/,
  ],
  [
    'a letter in the rating',
    'user,item,rating,time\n1,2,good,3\n',
    /:2: found "good" in column 3, expected a number \(rating\)/,
  ],
  ['an infinite time', 'user,item,time\n1,2,1e999\n', /found "1e999"/],
  ['an empty id', 'user,item,time\n,2,3\n', /:2: found "" in column 1, expected the id of a user/],
  ['NaN as an id', 'user,item,time\n1,NaN,3\n', /found "NaN" in column 2, expected the id of an item/],
  ['a negative id', 'user,item,time\n-1,2,3\n', /found "-1" in column 1/],
  ['a missing field', 'user,item,time\n1,2\n', /:2: found 2 fields, expected 3 fields, separated by commas/],
  ['a field too many', 'user,item,time\n1,2,3,4\n', /:2: found 4 fields/],
  ['no time column', 'user,item,rating\n1,2,3\n', /expected a header with a time column .* without a time order/],
  [
    'no user column',
    'who,item,time\n1,2,3\n',
    /:1: found the columns who, item, time, expected a header with a user column/,
  ],
  ['two user columns', 'user,user,item,time\n1,1,2,3\n', /two columns "user"/],
  ['only a header', 'user,item,time\n', /found no interactions/],
  ['an empty file', '', /found an empty file/],
  [
    'bytes that are no UTF-8',
    Buffer.from('user,item,time\nA\xe9,2,3\n', 'latin1'),
    /in column 1, expected the id of a user, text in UTF-8; as latin1 it reads "Aé".*--encoding latin1/,
  ],
])('refuses %s', async (_, content, message) => {
  await expect(read(content)).rejects.toMatchObject({ code: 'DATA_ERROR', message: expect.stringMatching(message) });
});
