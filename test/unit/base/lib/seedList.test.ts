import { describe, expect, test } from 'vitest';
import { formatSeedList, parseSeedList } from '#src/base/lib/seedList.ts';

describe('seeds', () => {
  test.each([
    ['1', [1]],
    ['1-5', [1, 2, 3, 4, 5]],
    ['1-3, 8', [1, 2, 3, 8]],
    [' 4  2 ', [4, 2]],
    ['1-3,2-4', [1, 2, 3, 4]],
    ['5,1 - 3,2', [5, 1, 2, 3]],
    ['1,,2', [1, 2]],
    ['2147483647', [2_147_483_647]],
    ['0', [0]],
  ])('%j stands for %j', (text, seeds) => {
    expect(parseSeedList(text)).toEqual({ seeds });
  });

  test.each(['', ' , ', 'one', '1.5', '-1', '5-1', '1-', '1..5', '1-2000', '2147483648', '99999999999'])(
    '%j is refused with a reason',
    (text) => {
      expect(parseSeedList(text)).toHaveProperty('problem');
    },
  );

  test('are written in the shortest way that reads back the same', () => {
    expect(formatSeedList([1, 2, 3, 8])).toBe('1-3, 8');
    expect(parseSeedList(formatSeedList([7, 1, 2]))).toEqual({ seeds: [1, 2, 7] });
  });
});
