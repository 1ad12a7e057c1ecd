import { describe, expect, it } from 'vitest';
import { parseSeed, parseSeeds } from '#src/cli/arguments/seeds.ts';

describe('parseSeeds', () => {
  it.each([
    ['1-5', [1, 2, 3, 4, 5]],
    ['1,2,7', [1, 2, 7]],
    ['1-3, 8', [1, 2, 3, 8]],
    ['5,1-3,2', [5, 1, 2, 3]],
    ['0', [0]],
    ['2147483647', [2_147_483_647]],
  ])('reads %s', (text, seeds) => {
    expect(parseSeeds(text)).toEqual(seeds);
  });

  it.each(['', 'a', '1-', '-3', '1..5', '5-1', '1.5', '2147483648', '1,,2', '1-5000'])('refuses "%s"', (text) => {
    expect(() => parseSeeds(text)).toThrow(expect.objectContaining({ code: 'BAD_INPUT' }));
  });
});

describe('parseSeed', () => {
  it('reads one whole number', () => {
    expect(parseSeed('42')).toBe(42);
    expect(() => parseSeed('1-2')).toThrow(/whole number/);
  });
});
