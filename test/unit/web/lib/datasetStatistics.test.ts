import { expect, test } from 'vitest';
import { decades } from '#web/charts/decades.ts';
import { readDatasetStatistics } from '#web/lib/datasetStatistics.ts';

test('what older runs told is enough, anything else is not', () => {
  const counts = { users: 3, items: 4, interactions: 9 };
  expect(readDatasetStatistics(counts)).toEqual({ ...counts, lengthHistogram: [], popularityCurve: [], samples: [] });
  expect(readDatasetStatistics({ ...counts, samples: [{ user: 1 }] })).toBeNull();
  expect(readDatasetStatistics(null)).toBeNull();
});

test('an axis has the powers of ten that hold its values', () => {
  expect(decades(1)).toEqual([1, 10]);
  expect(decades(1000)).toEqual([1, 10, 100, 1000]);
  expect(decades(1001)).toEqual([1, 10, 100, 1000, 10000]);
});
