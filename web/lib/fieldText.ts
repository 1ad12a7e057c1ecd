import { assertNever } from '#src/base/lib/assertNever.ts';
import { formatNumber } from './formatNumber.ts';
import type { FieldControl, NumberLimits } from './schemaField.ts';

export type ReadField = { value: unknown } | { message: string };

/** The text in which a form edits a value. */
export function writeFieldText(control: FieldControl, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (control.type === 'json' || typeof value === 'object') {
    if (Array.isArray(value) && (control.type === 'numberList' || control.type === 'textList')) return value.join(', ');
    return JSON.stringify(value);
  }
  return String(value);
}

/** The value that the text stands for, or what is wrong with it. */
export function readFieldText(control: FieldControl, text: string): ReadField {
  switch (control.type) {
    case 'text':
      return readText(text, control.pattern);
    case 'number':
      return readNumber(text.trim(), control);
    case 'numberList':
      return readNumberList(text, control);
    case 'textList':
      return { value: splitList(text) };
    case 'boolean':
      return { value: text === 'true' };
    case 'choice':
      return { value: control.options.find((option) => String(option) === text) };
    case 'json':
    case 'group':
    case 'variants':
      return readJson(text);
    default:
      return assertNever(control);
  }
}

/** The range in words: `0 to 1`, `above 0`, `at most 1,000`; empty where there is none. */
export function limitsInWords(limits: NumberLimits): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = limits;
  if (minimum !== null && maximum !== null) return `${formatNumber(minimum)} to ${formatNumber(maximum)}`;
  const low =
    minimum !== null
      ? `at least ${formatNumber(minimum)}`
      : exclusiveMinimum !== null
        ? `above ${formatNumber(exclusiveMinimum)}`
        : '';
  const high =
    maximum !== null
      ? `at most ${formatNumber(maximum)}`
      : exclusiveMaximum !== null
        ? `below ${formatNumber(exclusiveMaximum)}`
        : '';
  return [low, high].filter((part) => part !== '').join(' and ');
}

function readText(text: string, pattern: string | null): ReadField {
  if (pattern !== null && !matches(pattern, text)) return { message: `Must match ${pattern}.` };
  return { value: text };
}

/** A pattern that this browser cannot read is left to the API to check. */
function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}

function readNumber(text: string, limits: NumberLimits): ReadField {
  const value = Number(text);
  if (text === '' || !Number.isFinite(value)) return { message: `“${text}” is not a number.` };
  if (limits.integer && !Number.isInteger(value)) return { message: `${text} is not a whole number.` };
  const outside =
    (limits.minimum !== null && value < limits.minimum) ||
    (limits.maximum !== null && value > limits.maximum) ||
    (limits.exclusiveMinimum !== null && value <= limits.exclusiveMinimum) ||
    (limits.exclusiveMaximum !== null && value >= limits.exclusiveMaximum);
  return outside ? { message: `${text} is out of range: ${limitsInWords(limits)}.` } : { value };
}

function readNumberList(text: string, limits: NumberLimits): ReadField {
  const values: unknown[] = [];
  for (const part of splitList(text.replace(/^\[|\]$/g, ''))) {
    const read = readNumber(part, limits);
    if ('message' in read) return read;
    values.push(read.value);
  }
  return { value: values };
}

function splitList(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function readJson(text: string): ReadField {
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch (error) {
    return { message: `Not valid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** A configuration value in one line: strings bare, lists and objects as JSON, absent as an en dash. */
export function formatValue(value: unknown): string {
  if (value === undefined || value === null) return '–';
  if (typeof value === 'string') return value;
  return JSON.stringify(value) ?? '–';
}
