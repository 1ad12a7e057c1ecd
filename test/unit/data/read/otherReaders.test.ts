import { describe, expect, test } from 'vitest';
import { readInteractions } from '#workers/data/read/readInteractions.ts';
import { readItemTable } from '#workers/data/read/readItemTable.ts';
import { readJson } from '#workers/data/read/readJson.ts';
import { readLabelledText } from '#workers/data/read/readLabelledText.ts';
import { readPrices } from '#workers/data/read/readPrices.ts';
import { readSeries } from '#workers/data/read/readSeries.ts';
import { readTable } from '#workers/data/read/readTable.ts';
import { coreFilter } from '#workers/data/prepare/coreFilter.ts';
import { groupByUser } from '#workers/data/prepare/groupByUser.ts';
import type { Interactions } from '#workers/data/prepare/interactions.ts';
import { fileWith, sequencesOf } from '../dataFiles.ts';

const sequences = (read: Interactions) => sequencesOf(groupByUser(read, coreFilter(read, 1)));

describe('interactions', () => {
  test.each([
    ['movielens-dat', 'ratings.dat', '5::70::4::20\n5::60::3::10\n6::70::1::5\n'],
    ['movielens-tabs', 'u.data', '5\t70\t4\t20\n5\t60\t3\t10\n6\t70\t1\t5\n'],
    ['amazon-ratings', 'ratings_Beauty.csv', '5,70,4.0,20\n5,60,3.0,10\n6,70,1.0,5\n'],
    [
      'json-lines',
      'reviews_Beauty_5.json.gz',
      [
        '{"reviewerID": "5", "asin": "70", "helpful": [1, 2], "reviewText": "a \\"b\\"", "overall": 4.0, "unixReviewTime": 20}',
        '{"unixReviewTime": 10, "reviewerID": "5", "asin": "60", "overall": 3.0}',
        '{"reviewerID": "6", "asin": "70", "overall": 1.0, "unixReviewTime": 5}\n',
      ].join('\n'),
    ],
  ] as const)('%s', async (format, name, content) => {
    const read = await readInteractions({ name: 'x', path: fileWith(content, name), format });
    expect(sequences(read)).toEqual([['60', '70'], ['70']]);
    expect([...(read.ratings ?? [])]).toEqual([4, 3, 1]);
    expect(read.clock).toBe(true);
  });

  test.each([
    [
      'table',
      'who,what,when,how\nA,x,2,5\nA,y,1,4\n',
      'csv',
      { user: 'who', item: 'what', time: 'when', rating: 'how' },
    ],
    ['table', 'who,what,when,how\nA,x,2,5\nA,y,1,4\n', 'csv', { user: '1', item: '2', time: '3', rating: '4' }],
    [
      'json-lines',
      '{"who":"A","what":"x","when":2,"how":5}\n{"who":"A","what":"y","when":1,"how":4}\n',
      'jsonl',
      { user: 'who', item: 'what', time: 'when', rating: 'how' },
    ],
  ] as const)('a map says where the columns of a %s are', async (format, content, extension, mapping) => {
    const path = fileWith(content, `shop.${extension}`);
    const read = await readInteractions({ name: 'shop', path, format }, { mapping });
    expect(sequences(read)).toEqual([['y', 'x']]);
    expect([...(read.ratings ?? [])]).toEqual([5, 4]);
  });

  test('a map to a column that is not there is refused', async () => {
    const path = fileWith('who,what\nA,x\n', 'shop.csv');
    await expect(readTable(path, null, { mapping: { user: 'whom' } })).rejects.toThrow(
      /found the columns who, what, expected a column "whom", as the map says for user/,
    );
  });

  test.each([
    ['no JSON', '{"user": 1, \n', /:1: an object that does not end/],
    ['no object', '[1, 2]\n', /:1: found "1" between the objects/],
    [
      'a negative id',
      '{"user":-1,"item":2,"time":3}\n',
      /found user "-1", expected the id of a user, and none is negative/,
    ],
    ['an id that is an object', '{"user":1,"item":{"x":2},"time":3}\n', /expected the id of an item/],
    ['a time in words', '{"user":1,"item":2,"time":"noon"}\n', /found time "noon", expected a time/],
    ['no item', '{"user":1,"time":3}\n', /expected a header with an item column/],
    ['an empty file', '', /found no interactions/],
  ])('JSON lines with %s are refused', async (_, content, message) => {
    await expect(readJson(fileWith(content, 'a.jsonl'))).rejects.toMatchObject({
      code: 'DATA_ERROR',
      message: expect.stringMatching(message),
    });
  });

  test('a file over the limit is refused with the limit', async () => {
    const path = fileWith(`user,item,time\n${'1,2,3\n'.repeat(400_000)}`, 'big.csv.gz');
    await expect(readTable(path, null, { maximumBytes: 2 ** 20 })).rejects.toThrow(/holds more than 1 MiB/);
  });
});

describe('items', () => {
  test.each([
    ['movies.dat in Latin-1', Buffer.from('7::Les Misérables (1995)::Drama|Musical\n', 'latin1'), 'movies.dat'],
    ['a quoted CSV', 'movieId,title,genres\n7,"Les Misérables (1995)",Drama|Musical\n', 'movies.csv'],
    [
      'RecBole',
      'item_id:token\tmovie_title:token_seq\trelease_year:token\tclass:token_seq\n7\tLes Misérables (1995)\t1995\tDrama Musical\n',
      'a.item',
    ],
    ['a list with commas', 'anime_ids\tname\tgenre\n7\tLes Misérables (1995)\tDrama, Musical\n', 'anime-info.dat'],
  ])('%s', async (_, content, name) => {
    const items = await readItemTable(fileWith(content, name));
    expect([...items]).toEqual([['7', { title: 'Les Misérables (1995)', genres: ['Drama', 'Musical'] }]]);
  });

  test('without titles there is no table of items', async () => {
    await expect(readItemTable(fileWith('id,colour\n1,red\n', 'a.csv'))).rejects.toThrow(/an item id and a title/);
  });
});

describe('series', () => {
  test.each([
    ['.tsv', '2\t1.5\t-2e-1\t3\n-1\t4\t5\tNaN\n2\t6\tNaN\t8\n'],
    ['.ts', '#c\n@problemName x\n@data\n1.5,-0.2,3:2.0\n4,5,?:-1\n6,?,8:2\n'],
  ])('%s, with unequal lengths and missing values', async (_, content) => {
    const { values, offsets, labels, classes, missing } = await readSeries(fileWith(content, 'x.tsv'));
    expect([...values]).toEqual([1.5, -0.2, 3, 4, 5, 6, Number.NaN, 8]);
    expect([...offsets]).toEqual([0, 3, 5, 8]);
    expect([classes, [...labels], missing]).toEqual([['-1', '2'], [1, 0, 1], 1]);
  });

  test.each([
    ['a word', '1\t2\tthree\n', /"three" as value 2/],
    ['no label', '\t2\t3\n', /the label ""/],
    ['no values', '1\tNaN\n', /a series without values/],
    ['two dimensions', '1,2:3,4:1\n', /2 dimensions/],
    ['nothing', '\n', /no series/],
  ])('%s is refused', async (_, content, message) => {
    await expect(readSeries(fileWith(content))).rejects.toThrow(message);
  });
});

describe('prices', () => {
  const header = 'date,open,high,low,close,volume,Name\n';
  test('are read by column name', async () => {
    const prices = await readPrices(fileWith(`${header}2014-03-27,568,568.5,552.9,558.4,13052,GOOG\n`, 'goog.csv'));
    expect(prices.days[0]).toBe(Date.UTC(2014, 2, 27));
    expect([prices.open, prices.high, prices.low, prices.close, prices.volume].map(([first]) => first)).toEqual([
      568, 568.5, 552.9, 558.4, 13052,
    ]);
  });

  test.each([
    ['2014-02-30,1,2,1,1,1,G\n', /no date/],
    ['2014-02-03,1,2,1,1,1,G\n2014-02-03,1,2,1,1,1,G\n', /:3: found a date that is not after/],
    ['2014-02-03,1,2,3,1,1,G\n', /a low of 3 above the high of 2/],
    ['2014-02-03,0,2,1,1,1,G\n', /not positive/],
    ['2014-02-03,x,2,1,1,1,G\n', /not a number/],
    ['2014-02-03,1,2,1\n', /4 fields/],
  ])('%j is refused', async (rows, message) => {
    await expect(readPrices(fileWith(header + rows, 'g.csv'))).rejects.toThrow(message);
  });
});

describe('labelled texts', () => {
  test('are read with their split', async () => {
    const path = fileWith('split\tlabel\tid\ttext\ntrain\t1\ta\tgood "film"\ntest\t0\tb\tbad\n', 'imdb.tsv');
    const { texts, labels, classes, isTest, ids } = await readLabelledText(path);
    expect([texts, [...labels], classes, [...isTest], ids]).toEqual([
      ['good "film"', 'bad'],
      [1, 0],
      ['0', '1'],
      [0, 1],
      ['a', 'b'],
    ]);
  });

  test.each([
    ['text\nx\n', /label and text/],
    ['label\tlabel\ttext\n1\t1\tx\n', /each column once/],
    ['label\ttext\n1\t \n', /an empty label or text/],
    ['label\ttext\n1\ta\tb\n', /3 fields/],
    ['split\tlabel\ttext\ndev\t1\tx\n', /the split "dev"/],
  ])('%j is refused', async (content, message) => {
    await expect(readLabelledText(fileWith(content, 'a.tsv'))).rejects.toThrow(message);
  });
});
