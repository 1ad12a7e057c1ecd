import { expect, test } from 'vitest';
import { alignedNumber, columnDecimals } from '#web/lib/alignedNumber.ts';

test('values of a column have the same decimals, four digits for the great ones', () => {
  expect(columnDecimals([0.068373, 0.0673, 0.02126])).toBe(5);
  expect(alignedNumber(0.0673, 5)).toBe('0.06730');
  expect(alignedNumber(-0.0673, 5)).toBe('−0.06730');
  expect(columnDecimals([3, 4, Number.NaN])).toBeNull();
  expect(alignedNumber(12_480, null)).toBe('12,480');
});

test('one run that diverged takes no digits from the others, and small values keep theirs', () => {
  const losses = [...Array.from({ length: 30 }, (_, index) => 1 + index / 30), 1e8];
  expect(columnDecimals(losses)).toBe(3);
  expect(alignedNumber(0.0000123, 3)).toBe('1.23e-5');
  expect(alignedNumber(-559_333_998_151, 3), 'no wider than its column').toBe('−5.593e11');
  expect(alignedNumber(Number.POSITIVE_INFINITY, 3)).toBe('∞');
});
