import { describe, expect, test } from 'vitest';
import { storableJson, storableText } from '#workers/runtime/shared/storableText.ts';

describe('storable text', () => {
  test('replaces NUL and halves of pairs, keeps whole pairs', () => {
    expect(storableText('a\0b \uD83D c \uDE00 d \u{1F600}', 100)).toBe('a\uFFFDb \uFFFD c \uFFFD d \u{1F600}');
  });

  test('says how much was cut off, and never cuts a pair in two', () => {
    expect(storableText('abcdef', 4)).toBe('abcd… (2 more characters)');
    expect(storableText('abc\u{1F600}', 4)).toBe('abc… (1 more characters)');
  });
});

test('storable JSON holds what JSON can and null for the rest', () => {
  const value = {
    a: [1, Number.NaN, 'x\0'],
    b: { c: undefined, d: 5n },
    e: new Float32Array([0.5]),
    f: () => 1,
    g: true,
  };
  expect(storableJson(value)).toEqual({ a: [1, null, 'x\uFFFD'], b: { d: '5' }, e: [0.5], f: null, g: true });
});
