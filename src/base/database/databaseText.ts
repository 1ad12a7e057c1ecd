/**
 * `text` as PostgreSQL can hold it: NUL characters and unpaired surrogates, which its text and jsonb types refuse, become
 * U+FFFD.
 */
export function databaseText(text: string): string {
  return text.replaceAll('\0', '\ufffd').replace(/\p{Surrogate}/gu, '\ufffd');
}

/** JSON text of `value` for a jsonb parameter: strings and keys as `databaseText`, non-finite numbers as null. */
export function databaseJson(value: unknown): string {
  return JSON.stringify(cleaned(value)) ?? 'null';
}

/** Strings outside of which numbers stand. */
const JSON_STRING = /"(?:[^"\\]|\\.)*"/g;
const HUGE_NUMBER = /[eE][+-]?\d{4}|\d{400}/;
const DEEPEST = 64;

/**
 * What a text is as JSON, if PostgreSQL's jsonb takes it, too: its strings have no NUL characters or unpaired surrogates, its
 * numbers no exponents of four digits, and it is at most 64 levels deep. Undefined otherwise.
 */
export function parseDatabaseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return !HUGE_NUMBER.test(text.replace(JSON_STRING, '')) && isStorable(value, 0) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isStorable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return databaseText(value) === value;
  if (typeof value !== 'object' || value === null) return true;
  if (depth === DEEPEST) return false;
  return Object.entries(value).every(([key, member]) => databaseText(key) === key && isStorable(member, depth + 1));
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return databaseText(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (value === null || typeof value !== 'object') return value;
  if ('toJSON' in value && typeof value.toJSON === 'function') return cleaned(value.toJSON());
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [databaseText(key), cleaned(member)]));
}

/** A `float8[]` or `int8[]` parameter as text: the client's own encoding of numbers would turn NaN into null. */
export function numberArrayLiteral(values: Iterable<number>): string {
  return `{${Array.from(values).join(',')}}`;
}

/** Numbers of an array that a query returned as `…::text`, NULL as null: faster than one value at a time. */
export function parseNumberArray(literal: string): number[] {
  if (literal === '{}') return [];
  return literal.slice(1, -1).split(',').map(Number);
}

/** As `parseNumberArray`, for arrays that may hold NULL. */
export function parseNullableNumberArray(literal: string): (number | null)[] {
  if (literal === '{}') return [];
  return literal
    .slice(1, -1)
    .split(',')
    .map((part) => (part === 'NULL' ? null : Number(part)));
}
