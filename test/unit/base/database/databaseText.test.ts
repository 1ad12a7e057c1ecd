import { describe, expect, it } from 'vitest';
import {
  databaseJson,
  databaseText,
  numberArrayLiteral,
  parseNullableNumberArray,
  parseNumberArray,
} from '#src/base/database/databaseText.ts';

describe('databaseText', () => {
  it('replaces what PostgreSQL refuses and nothing else', () => {
    expect(databaseText('a\0b\ud800c\udc00')).toBe('a\ufffdb\ufffdc\ufffd');
    expect(databaseText('\u{1f600} ü \n\t\\0')).toBe('\u{1f600} ü \n\t\\0');
  });
});

describe('databaseJson', () => {
  it('cleans texts and keys at any depth, and keeps JSON as it is', () => {
    const value = { 'k\0': ['a\0', { deep: '\ud800' }], n: Number.NaN, d: new Date(0), u: undefined, s: '\\u0000' };
    expect(JSON.parse(databaseJson(value))).toEqual({
      'k\ufffd': ['a\ufffd', { deep: '\ufffd' }],
      n: null,
      d: '1970-01-01T00:00:00.000Z',
      s: '\\u0000',
    });
    expect(databaseJson(undefined)).toBe('null');
  });
});

describe('array literals', () => {
  it('carry every number both ways', () => {
    const numbers = [0, 1.5, -1e-300, 5e-324, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    expect(parseNumberArray(numberArrayLiteral(numbers))).toEqual(numbers);
    expect(parseNumberArray(numberArrayLiteral([]))).toEqual([]);
    expect(parseNullableNumberArray('{1,NULL,NaN}')).toEqual([1, null, Number.NaN]);
  });
});
