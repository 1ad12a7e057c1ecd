import { expect, test } from 'vitest';
import { verdictOf } from '#src/statistics/verdict.ts';
import { formatInterval } from '#web/lib/formatInterval.ts';
import { formatProbability } from '#web/lib/formatNumber.ts';

test.each([
  [{ difference: -0.13658, low: -0.1639, high: -0.109 }, '−0.1366', '−0.1639 to −0.1090'],
  [{ difference: 0.00041, low: -0.00002, high: 0.00084 }, '+0.000410', '−0.000020 to +0.000840'],
  [{ difference: 1234.56, low: 1000, high: 1469.12 }, '+1235', '+1000 to +1469'],
  [{ difference: 2e-15, low: 1e-15, high: 3e-15 }, '+2e-15', '+1e-15 to +3e-15'],
  [{ difference: 0.5, low: Number.NaN, high: Number.NaN }, '+0.5', 'NaN to NaN'],
])('differences are written as far as their interval tells: %j', (values, difference, interval) => {
  expect(formatInterval(values)).toEqual({ difference, interval });
});

test.each([
  [0.05, '0.0500'],
  [1, '1.0000'],
  [0.00041, '4.1e-4'],
  [5.04e-20, '5.0e-20'],
  [0, '< 1e-300'],
])('p of %f is written %s', (p, text) => expect(formatProbability(p)).toBe(text));

test.each([
  ['better', { difference: 1, p: 0.01, direction: 'higher' }],
  ['worse', { difference: 1, p: 0.01, direction: 'lower' }],
  ['better', { difference: -1, p: 0.01, direction: 'lower' }],
  ['different', { difference: -1, p: 0.01, direction: null }],
  ['undecided', { difference: 1, p: 0.05, direction: 'higher' }],
  ['undecided', { difference: 1, p: Number.NaN, direction: 'higher' }],
] as const)('verdict %s of %j', (verdict, tested) => expect(verdictOf({ ...tested, about: 'methods' })).toBe(verdict));
