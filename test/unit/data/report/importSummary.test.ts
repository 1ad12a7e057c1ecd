import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import { splitSequences } from '#workers/data/split/splitSequences.ts';
import { heldOut, targetsOf } from '#workers/evaluation/ranking/heldOut.ts';
import { importDataset } from '#workers/data/report/importDataset.ts';
import { fileWith, newFolder, selectionOf, sequencesOf } from '../dataFiles.ts';
import { AT, imported, lines, tarOf } from './importedShape.ts';

test('the order of lines is the order where a person says so, and no time is read where there is to be none', async () => {
  const content = lines('user,item,date', '1,b,2014-07-02', '1,a,2014-07-01');
  for (const [time, expected] of [
    ['line', [['b', 'a']]],
    ['none', [['b', 'a']]],
  ] as const) {
    const folder = newFolder();
    const request = { name: 'mine', folder, parts: [], replace: false, dryRun: false, items: null, format: null };
    const { summary } = await importDataset({ ...request, files: [fileWith(content, 'a.csv')], options: { time } });
    expect(summary.ordered).toBe(time === 'line');
    const selection = selectionOf('mine', { split: 'random-by-item' });
    expect(sequencesOf(await loadSequenceDataset(selection, { folders: [folder], cacheFolder: null }))).toEqual(
      expected,
    );
  }
});

test('what was understood is told and kept: the first interaction, its line, doubles, the greatest user', async () => {
  const folder = newFolder();
  const content = lines(
    'user,item,time,type',
    `1,a,${AT},view`,
    `1,a,${AT + 1},buy`,
    `1,b,${AT + 2},buy`,
    `2,a,${AT + 3},buy`,
    `1,a,${AT + 4},buy`,
  );
  const request = {
    name: 'mine',
    folder,
    parts: [],
    replace: false,
    items: null,
    format: null,
    options: { where: 'type = buy' },
  };
  const files = [fileWith(content, 'a.csv')];
  const dry = await importDataset({ ...request, files, dryRun: true });
  expect([dry.path, readdirSync(folder)]).toEqual([null, []]);
  const { summary } = await importDataset({ ...request, files, dryRun: false });
  expect(summary).toEqual(dry.summary);
  expect(summary).toMatchObject({
    users: 2,
    items: 2,
    interactions: 4,
    doubles: 1,
    greatestUser: { id: '1', interactions: 3 },
  });
  expect(summary.files[0]).toMatchObject({
    first: { line: 3, user: '1', item: 'a', time: '2014-07-02T05:35:49Z', rating: null },
    columns: { user: 'user (column 1)', item: 'item (column 2)', time: 'time (column 3)', rating: null },
    leftOut: 1,
    kept: 4,
  });
  expect(JSON.parse(readFileSync(join(folder, 'mine.import.json'), 'utf8')).summary).toEqual(summary);
});

test('a user with more than a tenth of all rows is told', async () => {
  const rows = Array.from({ length: 200 }, (_, row) => `${row % 2 === 0 ? 'unknown' : row},${row % 7},${row}`);
  const { files } = await imported({ like: '', name: 'a.csv', content: lines('user,item,time', ...rows) });
  expect(files[0]!.notes).toContainEqual(expect.stringMatching(/the user "unknown" has 50 % of all rows.*--where/));
});

test('an archive that unpacks to more than is read is refused, and nothing of it is written', async () => {
  const folder = newFolder();
  const path = join(folder, 'a.tar');
  writeFileSync(path, tarOf([['../../escape.csv', lines('user,item,time', '1,a,2')]]));
  const { readTable } = await import('#workers/data/read/readTable.ts');
  await expect(readTable(path, null, { maximumBytes: 20, member: '../../escape.csv' })).rejects.toThrow(
    /most that is read/,
  );
  expect((await readTable(path, null, { member: '../../escape.csv' })).users.length).toBe(1);
  expect(readdirSync(folder)).toEqual(['a.tar']);
});

test('a split that comes in files is kept, and users without items to test on are none to test', async () => {
  const folder = newFolder();
  const train = fileWith(lines('0 15 37 34', '1 38 0', '2 30'), 'train.txt');
  const test = fileWith(lines('0 ', '1 34 45', '2 15'), 'test.txt');
  const request = { name: 'mine', folder, replace: false, dryRun: false, items: null, format: null, options: {} };
  const { summary } = await importDataset({ ...request, files: [train], parts: [{ part: 'test', file: test }] });
  expect(summary.files.map(({ part, users, kept }) => [part, users, kept])).toEqual([
    ['train', 3, 6],
    ['test', 2, 3],
  ]);
  const cacheFolder = newFolder();
  const selection = selectionOf('mine', { split: 'given' });
  for (const _ of ['read', 'from the cache']) {
    const dataset = await loadSequenceDataset(selection, { folders: [folder], cacheFolder });
    const split = splitSequences(dataset, { name: 'given', shares: null });
    const part = heldOut(split, 'test', true);
    expect(Array.from(part.users, (user) => dataset.userIds[user])).toEqual(['1', '2']);
    const idsOf = (items: Uint32Array) => Array.from(items, (item) => dataset.itemIds[item]).sort();
    expect([0, 1].map((index) => idsOf(targetsOf(part, index)))).toEqual([['34', '45'], ['15']]);
    expect([0, 1].map((index) => idsOf(part.history(index)))).toEqual([['0', '38'], ['30']]);
  }
  const plain = newFolder();
  await importDataset({ ...request, folder: plain, files: [train], parts: [] });
  const other = await loadSequenceDataset(selection, { folders: [plain], cacheFolder: null });
  expect(() => splitSequences(other, { name: 'given', shares: null })).toThrow(/--train FILE --test FILE/);
});
