import { expect, test } from 'vitest';
import { DATASETS } from '#src/catalog/datasets.ts';

test('every download is checked, but for those of which no checksum is known', () => {
  const unchecked = DATASETS.filter(({ downloads }) => downloads.some(({ sha256 }) => sha256 === null));
  const names = unchecked.map(({ name }) => name).filter((name) => !name.startsWith('ucr/'));
  expect(names.sort()).toEqual(['amazon-clothing', 'amazon-toys', 'ml-20m', 'ml-25m', 'ml-32m']);
});
