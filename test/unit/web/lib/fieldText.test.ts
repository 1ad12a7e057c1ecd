import { describe, expect, test } from 'vitest';
import { limitsInWords, readFieldText, writeFieldText } from '#web/lib/fieldText.ts';
import type { FieldControl } from '#web/lib/schemaField.ts';

const open = { integer: false, minimum: null, maximum: null, exclusiveMinimum: null, exclusiveMaximum: null };
const number: FieldControl = { type: 'number', ...open };
const seed: FieldControl = { type: 'number', ...open, integer: true, minimum: 0, maximum: 10 };

describe('text of a form field', () => {
  test.each([
    ['1e-3', 0.001],
    [' 2.5 ', 2.5],
    ['-4', -4],
  ])('%j is the number %d', (text, value) => {
    expect(readFieldText(number, text)).toEqual({ value });
  });

  test.each(['', 'x', '1,5', 'Infinity', 'NaN'])('%j is no number', (text) => {
    expect(readFieldText(number, text)).toHaveProperty('message');
  });

  test('limits and whole numbers are kept', () => {
    expect(readFieldText(seed, '10')).toEqual({ value: 10 });
    expect(readFieldText(seed, '11')).toHaveProperty('message', '11 is out of range: 0 to 10.');
    expect(readFieldText(seed, '1.5')).toHaveProperty('message', '1.5 is not a whole number.');
    expect(readFieldText({ ...number, exclusiveMinimum: 0 }, '0')).toHaveProperty('message');
  });

  test('lists with or without brackets', () => {
    const list: FieldControl = { type: 'numberList', ...open };
    expect(readFieldText(list, '[5, 10 20]')).toEqual({ value: [5, 10, 20] });
    expect(readFieldText(list, '')).toEqual({ value: [] });
    expect(readFieldText(list, '5, x')).toHaveProperty('message');
    expect(writeFieldText(list, [5, 10])).toBe('5, 10');
  });

  test('a choice keeps the type of its option', () => {
    const choice: FieldControl = { type: 'choice', options: [1, 2, 'auto'] };
    expect(readFieldText(choice, '2')).toEqual({ value: 2 });
    expect(readFieldText(choice, 'auto')).toEqual({ value: 'auto' });
  });

  test('JSON is read and its faults are told', () => {
    expect(readFieldText({ type: 'json' }, '{"a":[1]}')).toEqual({ value: { a: [1] } });
    expect(readFieldText({ type: 'json' }, '{a')).toHaveProperty('message');
  });

  test('limits in words', () => {
    expect(limitsInWords({ ...open, exclusiveMinimum: 0, maximum: 10 })).toBe('above 0 and at most 10');
    expect(limitsInWords({ ...open, minimum: 1 })).toBe('at least 1');
    expect(limitsInWords(open)).toBe('');
  });
});
