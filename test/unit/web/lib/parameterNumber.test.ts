import { expect, it } from 'vitest';
import { parameterDigits, parameterText } from '#web/lib/parameterNumber.ts';

const textsOf = (...values: number[]) => {
  const digits = parameterDigits(values);
  return values.map((value) => parameterText(value, digits));
};

it('numbers that people wrote stay as they are', () => {
  expect(textsOf(0.1, 0.05, 64, 1e-7, 128_000)).toEqual(['0.1', '0.05', '64', '1e-7', '128000']);
});

it('numbers that a sweep drew stand under each other in four digits', () => {
  expect(textsOf(0.4512345, 0.1, 0.0345678, 0)).toEqual(['0.4512', '0.1000', '0.0346', '0.0000']);
  expect(textsOf(-12.345678, 3)).toEqual(['−12.35', '3.00']);
});

it('over decades each number that was drawn keeps four digits of its own', () => {
  expect(textsOf(0.0034567891234, 0.2000045, 0.00001234567, 0.05)).toEqual([
    ...['0.003457', '0.2000', '1.235e-5', '0.05'],
  ]);
});
