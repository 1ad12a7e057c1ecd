import { expect, test } from 'vitest';
import { datasetGroups } from '#web/features/datasets/datasetGroups.ts';

const row = (name: string, versions = 0) => ({
  ...{ name, title: `The ${name}`, known: true, published: [] },
  versions: Array.from({ length: versions }, () => ({ fingerprint: 'f', statistics: {}, createdAt: '2026-01-01' })),
});
const DATASETS = [row('ml-1m'), row('beauty', 1), row('ucr/Adiac'), row('toys', 1), row('ucr/Beef'), row('own/set')];
const runCounts = new Map([
  ['toys', 12],
  ['beauty', 3],
  ['ucr/Beef', 1],
]);
const namesOf = (wanted: string) =>
  datasetGroups(DATASETS, { runCounts, wanted }).map(({ title, datasets, isOpen }) => [
    title,
    datasets.map(({ name }) => name),
    isOpen,
  ]);

test('the most used datasets come first, and families that nobody uses are folded', () => {
  expect(namesOf('')).toEqual([
    ['Used by runs', ['toys', 'beauty', 'ucr/Beef'], true],
    ['Not used yet', ['ml-1m', 'own/set'], true],
    ['UCR time series', ['ucr/Adiac'], false],
  ]);
});

test('what is looked for is open, in names and titles', () => {
  expect(namesOf('ucr the')).toEqual([
    ['Used by runs', ['ucr/Beef'], true],
    ['UCR time series', ['ucr/Adiac'], true],
  ]);
  expect(namesOf('nothing')).toEqual([]);
});
