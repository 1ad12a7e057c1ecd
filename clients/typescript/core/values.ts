import type { WireValue } from './records.ts';

/** As the API takes a metric's value: JSON has no NaN and no infinities. */
export function wireValue(value: number): WireValue {
  if (Number.isFinite(value)) return value;
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? 'Infinity' : '-Infinity';
}

/** Numbers by name; nested objects are joined with `/`, booleans are 0 and 1. What is no number goes to `others`. */
export function numbersOf(
  data: Readonly<Record<string, unknown>>,
  others: Map<string, unknown>,
): Record<string, WireValue> {
  const numbers: Record<string, WireValue> = {};
  const collect = (members: Readonly<Record<string, unknown>>, prefix: string): void => {
    for (const [key, value] of Object.entries(members)) {
      if (typeof value === 'number') numbers[prefix + key] = wireValue(value);
      else if (typeof value === 'boolean' || typeof value === 'bigint') numbers[prefix + key] = Number(value);
      else if (isPlain(value)) collect(value, `${prefix}${key}/`);
      else others.set(prefix + key, value);
    }
  };
  collect(data, '');
  return numbers;
}

/** The plain texts among what is no number. */
export function textsOf(others: ReadonlyMap<string, unknown>): Record<string, string> {
  return Object.fromEntries([...others].filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** What JSON can hold of a parameter's value; all else becomes text. */
export function plainJson(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (Array.isArray(value)) return value.map(plainJson);
  if (isPlain(value)) return plainParameters(value);
  return String(value);
}

export function plainParameters(mapping: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(mapping).map(([key, value]) => [key, plainJson(value)]));
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
