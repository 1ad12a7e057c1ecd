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
