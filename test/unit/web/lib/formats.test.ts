import { describe, expect, test } from 'vitest';
import { environmentText } from '#web/lib/environmentText.ts';
import { formatBytes } from '#web/lib/formatBytes.ts';
import { formatDuration } from '#web/lib/formatDuration.ts';
import { formatMeanDeviation } from '#web/lib/formatMeanDeviation.ts';
import { formatNumber } from '#web/lib/formatNumber.ts';
import { formatAgo } from '#web/lib/formatTime.ts';

describe('formats', () => {
  test.each([
    [0.03123456, '0.031235'],
    [1_200_000_000_000, '1.2e12'],
    [1_234_567_890_123, '1,234,567,890,123'],
    [-20_000_000_000, '−2e10'],
    [2_000_000_000, '2,000,000,000'],
    [1.5e-7, '1.5e-7'],
    [12480, '12,480'],
    [-3, '−3'],
    [0.5, '0.5'],
    [Number.NaN, 'NaN'],
    [Number.NEGATIVE_INFINITY, '−∞'],
    [2 ** 53, '9.007e15'],
  ])('number %d is %s', (value, text) => {
    expect(formatNumber(value)).toBe(text);
  });

  test.each([
    [340, '340 ms'],
    [12_400, '12.4 s'],
    [185_000, '3 m 05 s'],
    [7_620_000, '2 h 07 m'],
    [273_600_000, '3 d 4 h'],
    [59_999, '60.0 s'],
  ])('duration %d is %s', (value, text) => {
    expect(formatDuration(value)).toBe(text);
  });

  test('the deviation decides how many digits of the mean are told', () => {
    expect(formatMeanDeviation(0.027067, 0.00631)).toEqual({ mean: '0.0271', deviation: '0.0063' });
    expect(formatMeanDeviation(0.027067, null)).toEqual({ mean: '0.027067', deviation: null });
    expect(formatMeanDeviation(0.5, 0)).toEqual({ mean: '0.5', deviation: '0' });
    expect(formatMeanDeviation(1234, 56)).toEqual({ mean: '1,234', deviation: '56' });
  });

  test('sizes and ages', () => {
    expect(formatBytes(512)).toBe('512 B');
    expect(formatBytes(1_500_000)).toBe('1.5 MB');
    expect(environmentText('peakTensorBytes', 1_572_864)).toBe('1.5 MiB');
    expect(environmentText('peakTensorBytes', 3 * 2 ** 30)).toBe('3072 MiB');
    expect(environmentText('timings.load', 0.03235903699999653)).toBe('0.032359');
    expect(environmentText('memory.threads', 1_572_864)).toBe('1572864');
    const now = new Date('2026-01-01T00:10:00Z');
    expect(formatAgo(new Date('2026-01-01T00:05:00Z'), now)).toBe('5 min ago');
    expect(formatAgo(now, now)).toBe('now');
  });
});
