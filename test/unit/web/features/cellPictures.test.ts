import { expect, test } from 'vitest';
import { heatScale } from '#web/features/runs/heatScale.ts';
import { sparklinePath } from '#web/features/runs/sparklinePath.ts';

test('shades grow with what is better, and one run that diverged does not pale the others', () => {
  const values = [...Array.from({ length: 40 }, (_, index) => index / 40), 1e9, Number.NaN];
  const higher = heatScale(values, 'higher') ?? (() => -1);
  expect(higher(1e9)).toBe(1);
  expect(higher(0)).toBe(0);
  expect(higher(0.5)).toBeGreaterThan(0.4);
  expect(higher(0.5)).toBeLessThan(0.6);
  expect(higher(Number.NaN)).toBeNull();
  const lower = heatScale(values, 'lower') ?? (() => -1);
  expect((lower(0.25) ?? 9) + (higher(0.25) ?? 9)).toBeCloseTo(1, 12);
  expect(heatScale([1, 2], null)?.(2)).toBe(1);
});

test('values that do not differ are not shaded', () => {
  expect(heatScale([3, 3, Number.POSITIVE_INFINITY], 'higher')).toBeNull();
  expect(heatScale([], null)).toBeNull();
});

test('a curve fills its box and breaks where values are missing', () => {
  expect(sparklinePath([0, 1], 14, 14)).toBe('M2 12L12 2');
  expect(sparklinePath([0, Number.NaN, 1, 1], 14, 14)).toBe('M2 12h1M8.7 2L12 2');
  expect(sparklinePath([5], 14, 14)).toBe('M2 7h1');
  expect(sparklinePath([Number.NaN], 14, 14)).toBe('');
});
