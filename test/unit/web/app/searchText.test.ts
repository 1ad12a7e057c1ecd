import { expect, test } from 'vitest';
import { readSearch, writeSearch } from '#web/app/searchText.ts';

test('a filter goes through the address unchanged', () => {
  const search = { filter: 'metric."test/ndcg@10" > 0.02 and name like "100%"', project: 'a & b', runs: '1,2' };
  expect(readSearch(writeSearch(search))).toEqual(search);
});

test('what is not set is left out', () => {
  expect(writeSearch({ filter: undefined, project: '' })).toBe('');
  expect(writeSearch({ runs: '1,2' })).toBe('?runs=1,2');
});
