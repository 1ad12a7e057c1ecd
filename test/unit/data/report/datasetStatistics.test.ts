import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { datasetSelectionSchema } from '#src/catalog/datasetSelection.ts';
import { datasetStatistics } from '#workers/data/report/datasetStatistics.ts';
import { datasetOf, newFolder } from '../dataFiles.ts';

const options = { folders: [], cacheFolder: null, warn: () => undefined };

test('counts, distributions and samples by hand', async () => {
  const dataset = datasetOf([[0, 1, 2, 1], [1], [1, 2]], 4);
  const found = await datasetStatistics(dataset, datasetSelectionSchema.parse({ name: 'made' }), options);
  expect(found).toMatchObject({
    users: 3,
    items: 4,
    interactions: 7,
    density: 7 / 12,
    averageLength: 7 / 3,
    shortest: 1,
    median: 2,
    longest: 4,
    filtered: false,
    preprocessing: 'as it is',
  });
  expect(found.lengthHistogram.map(({ from, users }) => [from, users])).toEqual([
    [1, 1],
    [2, 1],
    [4, 1],
  ]);
  expect(found.popularityCurve).toEqual([
    { rank: 1, interactions: 4 },
    { rank: 2, interactions: 2 },
    { rank: 3, interactions: 1 },
    { rank: 4, interactions: 0 },
  ]);
  expect(found.samples[0]!.items.map(({ id, title }) => [id, title])).toEqual(
    [0, 1, 2, 1].map((item) => [dataset.itemIds[item], null]),
  );
  expect(found).not.toHaveProperty('comparisons');
});

test('says when users or interactions were left out', async () => {
  const dataset = datasetOf([[0, 1, 2]], 3);
  const words = async (selection: Record<string, unknown>) => {
    const parsed = datasetSelectionSchema.parse({ name: 'made', ...selection });
    const { preprocessing, filtered } = await datasetStatistics(dataset, parsed, options);
    return [preprocessing, filtered];
  };
  expect(await words({ core: 5 })).toEqual(['5-core', true]);
  expect(await words({ maximumUsers: 7 })).toEqual(['as it is, the first 7 users', true]);
});

/** A dataset of one user with titles beside it; `count` counts it again and says what it was warned of. */
function kept() {
  const folders = [newFolder()];
  const titles = join(folders[0]!, 'made-items.csv');
  writeFileSync(titles, 'item,title\n0,Zero\n1,One\n');
  const cacheFolder = newFolder();
  const dataset = { ...datasetOf([[0, 1, 0]]), fingerprint: 'f'.repeat(64) };
  const count = async (over: Record<string, unknown> = {}, of = dataset) => {
    const warned: string[] = [];
    const asked = { folders, cacheFolder, warn: (text: string) => void warned.push(text) };
    const statistics = await datasetStatistics(of, datasetSelectionSchema.parse({ name: 'made', ...over }), asked);
    return { statistics, warned };
  };
  const files = () => readdirSync(join(cacheFolder, 'datasets')).map((file) => join(cacheFolder, 'datasets', file));
  return { titles, dataset, count, files };
}

test('statistics are kept, the same, with the titles of the items', async () => {
  const { dataset, count, files } = kept();
  const first = await count();
  expect(first.statistics.samples[0]!.items.map(({ title }) => title)).toEqual(['Zero', 'One', 'Zero']);
  const written = readFileSync(files()[0]!);
  // what is kept is what comes back: nothing of these interactions is looked at again
  expect(await count({}, { ...dataset, items: Uint32Array.of(1, 1, 1) })).toEqual(first);
  expect(files().map((file) => readFileSync(file))).toEqual([written]);
});

test('another selection, other data and other titles are counted anew', async () => {
  const { titles, dataset, count, files } = kept();
  await count();
  expect((await count({ core: 5 })).statistics.preprocessing).toBe('5-core');
  const other = { ...datasetOf([[0, 1, 1]]), fingerprint: 'e'.repeat(64) };
  expect((await count({}, other)).statistics.samples[0]!.items[2]!.id).toBe('1');
  writeFileSync(titles, 'item,title\n0,Nought\n1,One\n');
  expect((await count({}, dataset)).statistics.samples[0]!.items[0]!.title).toBe('Nought');
  expect(files()).toHaveLength(4);
});

test.each([
  ['cut short', (text: string) => text.slice(0, -5)],
  ['empty', () => ''],
  ['changed', (text: string) => text.replace('"users":1', '"users":2')],
  ['of another shape', () => `${'0'.repeat(64)}\n{}`],
])('kept statistics that are %s are made again, with a warning', async (_, damage) => {
  const { count, files } = kept();
  const first = await count();
  const [path] = files();
  writeFileSync(path!, damage(readFileSync(path!, 'utf8')));
  const second = await count();
  expect(second.statistics).toEqual(first.statistics);
  expect(second.warned).toEqual([expect.stringContaining('damaged')]);
  expect(await count()).toEqual(first);
});

test('titles that cannot be read are left out with a warning, each time', async () => {
  const { titles, count } = kept();
  writeFileSync(titles, 'nothing,of,use\n');
  for (const _ of [1, 2]) {
    const { statistics, warned } = await count();
    expect(statistics.samples[0]!.items[0]!.title).toBeNull();
    expect(warned).toEqual([expect.stringContaining('cannot be shown')]);
  }
});
