import { describe, expect, it } from 'vitest';
import { formatBytes } from '#src/base/lib/formatBytes.ts';
import {
  formatAge,
  formatDuration,
  formatNumber,
  formatProgress,
  formatReplicates,
  shortNumber,
} from '#src/base/terminal/formatNumber.ts';

describe('formatNumber', () => {
  it.each([
    [0.03612, '0.0361'],
    [12, '12'],
    [123.456, '123.46'],
    [1e-7, '1.000e-7'],
    [Number.NaN, 'NaN'],
    [Number.NEGATIVE_INFINITY, '-Infinity'],
    [null, '-'],
  ])('%s is %s', (value, text) => {
    expect(formatNumber(value)).toBe(text);
  });
});

it('formats replicates with their number, and a single run without', () => {
  expect(formatReplicates(0.5123, 0.0111, 3)).toBe('0.5123 ± 0.0111 (3)');
  expect(formatReplicates(0.5123, null, 1)).toBe('0.5123');
});

it('formats durations in the units that people use', () => {
  expect([12, 12_300, 245_000, 11_520_000, 200_000_000].map(formatDuration)).toEqual([
    '12 ms',
    '12.3 s',
    '4 min 5 s',
    '3 h 12 min',
    '2 d 7 h',
  ]);
});

it('formats bytes in binary units', () => {
  expect([0, 1023, 1536, 5 * 2 ** 30].map(formatBytes)).toEqual(['0 B', '1023 B', '1.5 KiB', '5.0 GiB']);
});

it('never says that something happens in the future', () => {
  const now = new Date('2026-01-01T00:00:10Z');
  expect(formatAge(new Date('2026-01-01T00:00:20Z'), now)).toBe('0 s ago');
  expect(formatAge(new Date('2025-12-31T20:00:10Z'), now)).toBe('4 h ago');
});

it.each([
  ['sasrec', 0, '0 %'],
  ['external', 0, ''],
  ['external', 0.07, '7 %'],
  ['command', 1, '100 %'],
])('says how far a run of kind %s at %d is: %s', (kind, progress, expected) => {
  expect(formatProgress({ progress, configuration: { kind } })).toBe(expected);
});

it('shows drawn numbers with four digits, and leaves other texts alone', () => {
  const texts = ['0.4979165420313256', '-1.23456', '0.3', '0.00001', '12', 'v1.234567', ''];
  expect(texts.map(shortNumber)).toEqual(['0.4979', '-1.2346', '0.3', '1.000e-5', '12', 'v1.234567', '']);
});
