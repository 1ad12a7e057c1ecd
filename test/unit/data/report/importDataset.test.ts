import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { datasetReport } from '#workers/data/report/datasetReport.ts';
import { type ImportRequest, importDataset } from '#workers/data/report/importDataset.ts';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import { fileWith, newFolder, selectionOf, sequencesOf } from '../dataFiles.ts';

function request(files: string[], over: Partial<ImportRequest> = {}): ImportRequest {
  const base = {
    name: 'my-shop',
    folder: newFolder(),
    parts: [],
    format: null,
    options: {},
    replace: false,
    dryRun: false,
    items: null,
  };
  return { ...base, files, ...over };
}

const CLICKS = 'visitor;product;at\nA"x;p\t1;3\nA"x;7;1\nB;7;2\n';
const MAPPING = { user: 'visitor', item: 'product', time: 'at' };

test('files become one dataset that is found by its name, ids unchanged', async () => {
  const one = fileWith(CLICKS.replace('A"x', '"A""x"'), 'clicks.csv');
  const two = fileWith('visitor;product;at\nB;8;1\n', 'more.csv.gz');
  const asked = request([one, two], { options: { mapping: MAPPING } });
  const { path, summary } = await importDataset(asked);
  expect(summary.interactions).toBe(4);
  const dataset = await loadSequenceDataset(selectionOf('my-shop'), { folders: [asked.folder], cacheFolder: null });
  expect(dataset.userIds).toEqual(['A"x', 'B']);
  expect(sequencesOf(dataset)).toEqual([
    ['7', 'p\t1'],
    ['8', '7'],
  ]);
  expect(JSON.parse(readFileSync(path!.replace('.inter', '.import.json'), 'utf8'))).toMatchObject({
    name: 'my-shop',
    sources: [{ file: one, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }, { file: two }],
  });
});

test.each([
  ['sequences', 'a.txt', '1 30 10\n2 10\n', [['30', '10'], ['10']]],
  ['MovieLens', 'ratings.dat', '1::30::5::10\n1::10::4::20\n2::10::3::1\n', [['30', '10'], ['10']]],
  [
    'JSON lines',
    'a.jsonl',
    '{"user":1,"item":30,"time":1}\n{"user":1,"item":10,"time":2}\n{"user":2,"item":10,"time":1}\n',
    [['30', '10'], ['10']],
  ],
])('%s are imported in their order', async (_, name, content, expected) => {
  const asked = request([fileWith(content, name)]);
  await importDataset(asked);
  const options = { folders: [asked.folder], cacheFolder: null };
  expect(sequencesOf(await loadSequenceDataset(selectionOf('my-shop'), options))).toEqual(expected);
});

test('a refused file leaves nothing behind', async () => {
  const asked = request([fileWith(`${CLICKS}C;9;noon\n`, 'clicks.csv')], { options: { mapping: MAPPING } });
  await expect(importDataset(asked)).rejects.toMatchObject({ code: 'DATA_ERROR' });
  expect(readdirSync(asked.folder)).toEqual([]);
  const { summary } = await importDataset({ ...asked, options: { mapping: MAPPING, lenient: true } });
  expect(summary.files[0]?.skipped).toMatchObject({ count: 1, first: [{ line: 5 }] });
});

test('an import is not overwritten unless that is asked for', async () => {
  const asked = request([fileWith('1 2 3\n', 'a.txt')]);
  await importDataset(asked);
  await expect(importDataset(asked)).rejects.toMatchObject({ code: 'CONFLICT' });
  await importDataset({ ...asked, replace: true });
});

test.each(['ml-1m', 'ML-1M', 'generated/x', '../x', 'a//b', 'a/.b', ''])('the name %j is refused', async (name) => {
  const asked = request([fileWith('1 2 3\n', 'a.txt')], { name });
  await expect(importDataset(asked)).rejects.toMatchObject({ code: 'BAD_INPUT' });
  expect(existsSync(asked.folder) ? readdirSync(asked.folder) : []).toEqual([]);
});

test('files that tell the order differently are not mixed', async () => {
  const files = [fileWith('user,item,time\n1,2,3\n', 'a.csv'), fileWith('user,item\n1,2\n', 'b.csv')];
  await expect(importDataset(request(files))).rejects.toThrow(/do not tell the order alike/);
});

test('titles are kept beside it and shown with samples', async () => {
  const items = fileWith('item,title,genres\n7,Lamp,Light|Home\n', 'things.csv');
  const asked = request([fileWith('1 7 8\n2 7\n', 'a.txt')], { items });
  await importDataset(asked);
  const report = await datasetReport('my-shop', { folders: [asked.folder], cacheFolder: null });
  expect(report.sequences).toMatchObject({ users: 2, items: 2, interactions: 3, longest: 2, comparisons: [] });
  expect(report.sequences?.samples[0]?.items).toEqual([
    { id: '7', title: 'Lamp', genres: ['Light', 'Home'] },
    { id: '8', title: null, genres: [] },
  ]);
  expect(report.sequences?.lengthHistogram).toEqual([
    { from: 1, to: 1, users: 1 },
    { from: 2, to: 3, users: 1 },
  ]);
  expect(report.sequences?.popularityCurve).toEqual([
    { rank: 1, interactions: 2 },
    { rank: 2, interactions: 1 },
  ]);
});
