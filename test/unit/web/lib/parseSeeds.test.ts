import { describe, expect, test } from 'vitest';
import { formatSeeds, parseSeeds } from '#web/lib/parseSeeds.ts';

describe('seeds', () => {
  test.each([
    ['1', [1]],
    ['1-5', [1, 2, 3, 4, 5]],
    ['1-3, 8', [1, 2, 3, 8]],
    [' 4  2 ', [4, 2]],
    ['1-3,2-4', [1, 2, 3, 4]],
    ['0', [0]],
  ])('%j stands for %j', (text, seeds) => {
    expect(parseSeeds(text)).toEqual({ seeds });
  });

  test.each(['', ' , ', 'one', '1.5', '-1', '5-1', '1-', '1-2000', '99999999999'])(
    '%j is refused with a reason',
    (text) => {
      expect(parseSeeds(text)).toHaveProperty('message');
    },
  );

  test('are written in the shortest way that reads back the same', () => {
    expect(formatSeeds([1, 2, 3, 8])).toBe('1-3, 8');
    expect(parseSeeds(formatSeeds([7, 1, 2]))).toEqual({ seeds: [1, 2, 7] });
  });
});
