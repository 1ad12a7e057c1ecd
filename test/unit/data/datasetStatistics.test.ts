import { expect, test } from 'vitest';
import { datasetSelectionSchema } from '../../../src/catalog/datasetSelection.ts';
import { datasetStatistics } from '../../../workers/data/datasetStatistics.ts';
import { datasetOf } from './dataFiles.ts';

const options = { folders: [], warn: () => undefined };

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
