import { expect, test } from 'vitest';
import { shortNumeralCells, shortNumerals } from '#src/base/lib/shortNumerals.ts';

test('fractions have four digits, or as many as tell them apart; all else stays', () => {
  const drawn = ['0.30614525747921373', '0.001572590972032209', '-0.30000000000000004', '5.7420001e-7'];
  expect(shortNumerals(drawn)).toEqual(['0.3061', '0.001573', '-0.3', '5.742e-7']);
  expect(shortNumerals(['0.12345678', '0.12345699', '0.5'])).toEqual(['0.1234568', '0.123457', '0.5']);
  expect(shortNumerals(['12345.678', '1234567.5', '86400.25'])).toEqual(['12346', '1234568', '86400']);
  const others = ['20240115123', '1.10', '1.2.34567', '118e65004', 'v0.123456', '', '–', '1e400'];
  expect(shortNumerals(others)).toEqual(others);
});

test('the columns of a table are shortened each by itself', () => {
  expect(
    shortNumeralCells([
      ['0.123456', 'a'],
      ['0.123399', '0.123456'],
    ]),
  ).toEqual([
    ['0.1235', 'a'],
    ['0.1234', '0.1235'],
  ]);
  expect(shortNumeralCells([])).toEqual([]);
});
