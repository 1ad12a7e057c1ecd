import { expect, test } from 'vitest';
import { categoryAxis, numberAxis } from '#web/lib/valueAxis.ts';

const labels = ({ ticks }: { ticks: readonly { label: string }[] }) => ticks.map(({ label }) => label);

test('numbers stand evenly, or by their logarithms, with round ticks', () => {
  const linear = numberAxis(0, 10);
  expect(linear.place(2.5)).toBe(0.25);
  expect(labels(linear)).toEqual(['0', '2', '4', '6', '8', '10']);
  const logarithmic = numberAxis(1e-4, 1, { logarithmic: true });
  expect(logarithmic.place(0.01)).toBeCloseTo(0.5);
  expect(labels(logarithmic)).toEqual(['0.0001', '0.001', '0.01', '0.1', '1']);
  expect(labels(numberAxis(2, 60, { logarithmic: true }))).toEqual(['2', '5', '10', '20', '50']);
  expect(logarithmic.textAt(0.25)).toBe('0.001');
});

test('round ticks have the same decimals', () => {
  expect(labels(numberAxis(0.2184, 0.2223))).toEqual(['0.219', '0.220', '0.221', '0.222']);
  expect(labels(numberAxis(-1, 0))).toEqual(['−1.0', '−0.8', '−0.6', '−0.4', '−0.2', '0.0']);
  expect(labels(numberAxis(0, 1e-6))[1]).toBe('2e-7');
});

test('what has no place on an axis stands nowhere; one value alone in the middle', () => {
  expect(numberAxis(1, 10, { logarithmic: true }).place(0)).toBeNaN();
  expect(numberAxis(0, 1).place('a')).toBeNaN();
  expect(numberAxis(3, 3).place(3)).toBe(0.5);
  expect(numberAxis(0, 5, { logarithmic: true }).place(2.5)).toBe(0.5);
});

test('categories have a band each, whatever they are', () => {
  const axis = categoryAxis(['adam', null, 0.123456]);
  expect(axis.place(null)).toBe(0.5);
  expect(axis.place('sgd')).toBeNaN();
  expect(labels(axis)).toEqual(['adam', 'null', '0.1235']);
  expect(axis.textAt(0.99)).toBe('0.1235');
});
