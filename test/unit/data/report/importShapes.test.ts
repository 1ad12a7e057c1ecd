import { expect, test } from 'vitest';
import type { ImportResult } from '#workers/data/report/importDataset.ts';
import { AT, imported, lines, type Options, type Shape, tarOf } from './importedShape.ts';

const sizes = ({ users, items, interactions }: ImportResult['summary']) => [users, items, interactions];

const SECONDS = '2014-07-02T05:35:48Z';

/** Columns of a table with a header and one time; the first time is 2014-07-02 05:35:48 in UTC. */
const times = (like: string, first: string, second: string, options: Options = {}): Shape => ({
  like,
  name: 'a.csv',
  content: lines('user;item;time', `1;a;${first}`, `2;b;${second}`),
  options,
});

test.each([
  times('ISO with a zone', '2014-07-02T07:35:48+02:00', '2014-07-03T07:35:48+02:00'),
  times('ISO without a zone, with fractions', '2014-07-02 05:35:48.000', '2014-07-03 05:35:48.250'),
  times('twelve hours of a spreadsheet', '7/2/2014 5:35:48 AM', '7/28/2014 12:01:00 AM'),
  times('day first, as another line tells', '02/07/2014 05:35:48', '28/07/2014 05:35:48'),
  times('month names', 'July 2, 2014 5:35:48 AM', 'Aug 3, 2014 1:00:00 PM'),
  times('day, month name, year', '2 Jul 2014 05:35:48', '3-Aug-2014 05:35:48'),
  times('Twitter', 'Wed Jul 02 05:35:48 +0000 2014', 'Thu Jul 03 05:35:48 +0000 2014'),
  times('Java', 'Wed Jul 02 07:35:48 CEST 2014', 'Thu Jul 03 07:35:48 CEST 2014'),
  times('milliseconds', `${AT}000`, `${AT}999`),
  times('microseconds', `${AT}000000`, `${AT}999000`),
  times('nanoseconds', `${AT}000000000`, `${AT}999000000`),
  times('a form of its own', '02.07.14 05h35m48', '03.07.14 05h35m48', { timeFormat: '%d.%m.%y %Hh%Mm%S' }),
  times('days of a spreadsheet', '41822.23319444445', '41823.5', { timeFormat: 'excel' }),
])('times are read: $like', async (shape) => {
  const { files, ordered } = await imported(shape);
  expect(ordered).toBe(true);
  expect(Date.parse(files[0]!.first.time!)).toBeCloseTo(Date.parse(SECONDS), -3);
});

test.each([
  {
    ...times('both forms in one file', SECONDS, String(AT)),
    says: /:3: found "1404279348".* as in line 2 \("2014-07-02T05:35:48Z"\)/,
  },
  {
    ...times('two units in one file', String(AT), `${AT}000`),
    says: /line 3 milliseconds.*--time-format s or --time-format ms/,
  },
  {
    ...times('day and month that no line tells apart', '2/7/2014', '3/8/2014'),
    says: /--time-format month\/day\/year or --time-format day\/month\/year/,
  },
  { ...times('with and without a zone', SECONDS, '2014-07-03T05:35:48'), says: /as in line 2/ },
  { ...times('a day that no month has', '2014-02-30', '2014-02-28'), says: /:2: found "2014-02-30".*--time-format/ },
  {
    ...times('a form that there is not', SECONDS, SECONDS, { timeFormat: 'swiss' }),
    says: /"swiss" is no form of times/,
  },
  {
    like: 'a time by a name that is not known',
    name: 'a.csv',
    content: lines('user,item,seen', '1,a,2012-01-02'),
    says: /"seen" looks like one.*time=seen, or --time none/,
  },
  {
    like: 'two users',
    name: 'a.csv',
    content: lines('sessionId;userId;itemId;eventdate', '5;5;37;2014-07-02'),
    says: /"sessionId" and "userId" can both be the user.*--map user=sessionId/,
  },
  {
    like: 'two items',
    name: 'a.jsonl',
    content: lines('{"user_id":1,"asin":"a","parent_asin":"b","timestamp":1}'),
    says: /--map item=asin or --map item=parent_asin/,
  },
  {
    like: 'a user that is missing',
    name: 'a.csv',
    content: lines('user,item,time', 'NA,a,1', '7,b,2'),
    says: /:2: found "NA".*missing value.*--lenient/,
  },
  {
    like: 'text that is no UTF-8',
    name: 'a.csv',
    content: Buffer.from('"user";"item"\n"1";"\xe9"\n', 'latin1'),
    options: { time: 'none' as const },
    says: /as latin1 it reads "é".*--encoding latin1/,
  },
  {
    like: 'characters that were lost before',
    name: 'a.csv',
    content: lines('user,item,time', '1,caf\uFFFD,2'),
    says: /different ids may have become one/,
  },
  {
    like: 'no header and no usual layout',
    name: 'a.csv',
    content: lines('5,1037,5,buy,1404279348'),
    says: /no header.*1 "5", 2 "1037".*--map user=PLACE,item=PLACE,time=5/,
  },
  { like: 'a separator that is not known', name: 'a.dat', content: lines('1##2##3'), says: /--separator/ },
  {
    like: 'an archive of several files',
    name: 'a.tar',
    content: tarOf([
      ['a/ratings.csv', 'x'],
      ['a/movies.csv', 'y'],
    ]),
    says: /--member a\/ratings\.csv[\s\S]*a\/movies\.csv \(1 B\)/,
  },
  { like: 'a pickle', name: 'a.pkl', content: Buffer.from([0x80, 4, 0x95, 1, 2]), says: /Python pickle.*to_parquet/ },
  { like: 'a page in place of the file', name: 'a.csv', content: '<!DOCTYPE html><html>', says: /page of HTML/ },
  {
    like: 'a rating that is none',
    name: 'a.csv',
    content: lines('user,item,rating,time', '1,a,high,2', '1,b,3,3'),
    says: /found "high".*--map rating=none/,
  },
  {
    like: 'every line of another form',
    name: 'a.csv',
    content: lines('user,item,time', 'x', 'y'),
    options: { lenient: true },
    says: /Skipping them is no remedy/,
  },
  {
    like: 'no column of that name',
    name: 'a.csv',
    content: lines('user,item,time', '1,a,2'),
    options: { where: 'type = buy' },
    says: /no column "type"; there are user, item, time/,
  },
  {
    like: 'no row that meets the condition',
    name: 'a.csv',
    content: lines('user,item,time,type', '1,a,2,pv'),
    options: { where: 'type = buy' },
    says: /none of 1 rows meets --where/,
  },
])('what cannot be read is refused with what to do: $like', async ({ says, ...shape }) => {
  await expect(imported(shape)).rejects.toThrow(says);
});

const GRAM = lines('196\t242\t3\t881250949', '186\t302\t3\t891717742', '196\t302\t1\t881250950');

test.each<Shape & { counts: number[] }>([
  { like: "ML-100K's u.data", name: 'u.data', content: GRAM, counts: [2, 2, 3] },
  {
    like: "ML-100K's u.data, by its places",
    name: 'u.data',
    content: lines('2\t1\t5\t881250949', '2\t3\t4\t881250950', '7\t1\t5\t881250952'),
    options: { mapping: { user: '1', item: '2', rating: '3', time: '4' } },
    counts: [2, 2, 3],
  },
  {
    like: "Taobao's UserBehavior",
    name: 'a.csv',
    content: lines('5,1037,5,buy,1404279348', '4,1032,5,pv,1407922960', '5,1032,5,pv,1407922961'),
    options: { mapping: { user: '1', item: '2', time: '5' } },
    counts: [2, 2, 3],
  },
  {
    like: 'one kind of behavior',
    name: 'a.csv',
    content: lines('5,1037,5,buy,1404279348', '4,1032,5,pv,1407922960'),
    options: { mapping: { user: '1', item: '2', time: '5' }, where: '4 in (buy, cart)' },
    counts: [1, 1, 1],
  },
  { like: 'pairs in order', name: 'a.txt', content: lines('1 26', '1 34', '1 26', '2 9'), counts: [2, 3, 4] },
  { like: 'sequences of text ids', name: 'a.txt', content: lines('u1 apple pear plum', '7 pear'), counts: [2, 3, 4] },
  {
    like: 'Gowalla',
    name: 'a.txt',
    content: lines('5\t2014-07-02T05:35:48Z\t30.266\t-97.757\t22037', '4\t2014-08-13T09:42:40Z\t30.267\t-97.79\t22032'),
    format: 'gowalla',
    counts: [2, 2, 2],
  },
  {
    like: 'Yelp',
    name: 'a.json',
    content: lines(
      '{"review_id": "r0", "user_id": "u_-Q", "business_id": "-i3", "stars": 1.0, "date": "2014-07-02 05:35:48"}',
    ),
    counts: [1, 1, 1],
  },
  {
    like: 'H&M',
    name: 'a.csv',
    content: lines('t_dat,customer_id,article_id,price,sales_channel_id', '2014-07-02,7fu5,0663713037,0.05,2'),
    counts: [1, 1, 1],
  },
  {
    like: 'Amazon 2018, whose ratings have the item first',
    name: 'a.csv',
    content: lines('B000123456,A1ABCDEFGHIJK,5.0,1404279348', 'B000123456,A1ABCDEFGHIJL,4.0,1404279349'),
    counts: [2, 1, 2],
  },
  {
    like: 'Amazon 2023',
    name: 'a.jsonl',
    content: lines('{"asin":"a","parent_asin":"b","user_id":"u","timestamp":1404279348000,"rating":1}'),
    format: 'amazon-2023',
    counts: [1, 1, 1],
  },
  {
    like: 'quotes around line ends',
    name: 'a.csv',
    content: lines(
      'user_id,review,item_id,rating,timestamp',
      'u5,"good, really ""good""',
      'second line",i37,1,1404279348',
      'u4,"x',
      '',
      'y",i32,4,1407922960',
    ),
    counts: [2, 2, 2],
  },
  {
    like: 'lone quotes between tabs',
    name: 'a.tsv',
    content: lines('user\titem\ttime', 'a\t"Heroes\t3', 'b\t"x" y\t4', 'c\t"q"\t5'),
    counts: [3, 3, 3],
  },
  {
    like: 'an array of objects over lines',
    name: 'a.json',
    content: JSON.stringify(
      [
        { user_id: 1, item_id: 2, timestamp: 3 },
        { user_id: 1, item_id: 3, timestamp: 4 },
      ],
      null,
      1,
    ),
    counts: [1, 2, 2],
  },
  {
    like: 'objects over lines',
    name: 'a.json',
    content: '{\n"user": 1,\n"item": 2, "time": 3\n}\n{\n"user": 2, "item": 2, "time": 3 }',
    counts: [2, 1, 2],
  },
  {
    like: 'OTTO: sessions, ids of 64 bits',
    name: 'a.jsonl',
    content: lines(
      '{"session":1,"events":[{"aid":9007199254740992,"ts":1659304800025,"type":"clicks"},{"aid":9007199254740993,"ts":1659304904511,"type":"carts"}]}',
    ),
    counts: [1, 2, 2],
  },
  {
    like: 'lists of items',
    name: 'a.jsonl',
    content: lines('{"user_id":1,"items":["a","b"]}', '{"user_id":2,"items":["a"]}'),
    counts: [2, 2, 3],
  },
  {
    like: 'dicts of Python',
    name: 'a.json',
    content: lines(
      "{u'username': u'Chaos \\u2019S', u'hours': 0.1, u'product_id': u'725280', u'date': u'2017-12-17', u'early_access': False}",
      "{u'username': u\"it's\", u'product_id': u'10', u'date': u'2017-11-17'}",
    ),
    counts: [2, 2, 2],
  },
  {
    like: 'the Netflix prize',
    name: 'a.txt',
    content: lines('1:', '13,3,2005-09-15', '9,3,2005-09-21', '2:', '13,4,2005-09-25', '3:'),
    counts: [2, 2, 3],
  },
  {
    like: 'MIND',
    name: 'behaviors.tsv',
    content: lines('1\tU1\t11/11/2019 9:05:58 AM\tN1 N2\tN3-1 N4-0', '2\tU2\t11/12/2019 6:11:30 PM\t\tN5-0 N6-1'),
    counts: [2, 2, 2],
  },
  {
    like: 'Steam of Kaggle',
    name: 'steam-200k.csv',
    content: lines('15,"Skyrim, The",purchase,1.0,0', '15,"Skyrim, The",play,273.0,0', '16,Fallout,purchase,1.0,0'),
    counts: [2, 2, 2],
  },
  {
    like: 'BookCrossing in Latin-1',
    name: 'a.csv',
    content: Buffer.from('"user";"item";"rating";"timestamp"\n"1";"\xe9";"5";"0"\n"1";"\xe8";"5";"1"\n', 'latin1'),
    options: { encoding: 'latin1' },
    counts: [1, 2, 2],
  },
  {
    like: 'UTF-16 with its mark',
    name: 'a.csv',
    content: Buffer.from('\uFEFFuser,item,time\nä,b,3\n', 'utf16le'),
    counts: [1, 1, 1],
  },
  {
    like: 'bars',
    name: 'a.dat',
    content: lines('U1|I1|3|2012-01-02 03:04:05', 'U2|I1|4|2012-01-02 03:04:06'),
    counts: [2, 1, 2],
  },
  {
    like: 'a separator of its own',
    name: 'a.dat',
    content: lines('1##2##3', '1##3##4'),
    options: { separator: '##', mapping: { user: '1', item: '2', time: '3' } },
    counts: [1, 2, 2],
  },
  {
    like: 'the rows of R with their names',
    name: 'a.txt',
    content: lines('user_id item_id timestamp', '1 a b 1404279348', '2 c d 1404279349'),
    counts: [2, 2, 2],
  },
  {
    like: 'KONECT with its comments',
    name: 'out.x',
    content: lines('% bip weighted', '% 3 2 2', '1 2 5 1404279348', '1 3 5 1404279349'),
    counts: [1, 2, 2],
  },
  {
    like: 'ratings that are missing',
    name: 'a.csv',
    content: lines('user,item,rating,time', '1,a,,3', '2,b,NA,4', '3,c,5,5'),
    counts: [3, 3, 3],
  },
  {
    like: 'users that are missing, left out',
    name: 'a.csv',
    content: lines('user,item,time', '\\N,a,3', '<NA>,b,4', '3,c,5'),
    options: { lenient: true },
    counts: [1, 1, 1],
  },
  {
    like: 'a header that is numbers of columns',
    name: 'a.csv',
    content: lines('0,1,2', '5,6,7'),
    options: { header: true, mapping: { user: '1', item: '2', time: '3' } },
    counts: [1, 1, 1],
  },
  {
    like: 'a file in a tar',
    name: 'a.tar',
    content: tarOf([
      ['d/README', 'hello'],
      ['d/u.data', GRAM],
    ]),
    counts: [2, 2, 3],
  },
])('imports right: $like', async ({ counts, ...shape }) => {
  expect(sizes(await imported(shape))).toEqual(counts);
});
