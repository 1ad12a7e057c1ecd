import { expect, it } from 'vitest';
import { parseSeed, parseSeeds } from '#src/base/terminal/arguments/seeds.ts';

it('reads --seeds, and refuses what is none as bad input', () => {
  expect(parseSeeds('1-3, 8')).toEqual([1, 2, 3, 8]);
  expect(() => parseSeeds('5-1')).toThrow(expect.objectContaining({ code: 'BAD_INPUT', path: '--seeds' }));
});

it('reads one whole number as --seed', () => {
  expect(parseSeed('42')).toBe(42);
  expect(() => parseSeed('1-2')).toThrow(/whole number/);
  expect(() => parseSeed('2147483648')).toThrow(/whole number/);
});
