import { expect, test } from 'vitest';
import { createBoundedCache } from '#src/base/lib/boundedCache.ts';

test('what was used last is kept, as far as there is room', () => {
  const cache = createBoundedCache<string, number>(10);
  const held = () => ['a', 'b', 'c', 'd'].filter((key) => cache.get(key) !== undefined);
  cache.set('a', 1, 4);
  cache.set('b', 2, 4);
  expect(cache.get('a')).toBe(1);
  cache.set('c', 3, 5);
  expect(held()).toEqual(['a', 'c']);
  cache.set('c', 4, 2);
  cache.set('b', 5, 4);
  expect(held(), 'a value that is set again counts once').toEqual(['a', 'b', 'c']);
  cache.set('d', 6, 11);
  expect(held(), 'what does not fit at all drives nothing out').toEqual(['a', 'b', 'c']);
  cache.set('d', 7, 10);
  expect(held()).toEqual(['d']);
});
