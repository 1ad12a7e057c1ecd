const UNSTORABLE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** Text as PostgreSQL can keep it: NUL and halves of surrogate pairs become U+FFFD, and the rest after `maximum` goes. */
export function storableText(text: string, maximum: number): string {
  const clean = text.replace(UNSTORABLE, '\uFFFD');
  if (clean.length <= maximum) return clean;
  return `${clean.slice(0, maximum).replace(UNSTORABLE, '')}… (${clean.length - maximum} more characters)`;
}

/** `value` as plain JSON with storable text: what JSON cannot hold becomes null. */
export function storableJson(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(UNSTORABLE, '\uFFFD');
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'boolean' || value === null) return value;
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    return Array.from(value as unknown as ArrayLike<number | bigint>, (item) => storableJson(Number(item)));
  }
  if (Array.isArray(value)) return value.map(storableJson);
  if (typeof value !== 'object') return typeof value === 'bigint' ? value.toString() : null;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(entries.map(([name, member]) => [storableJson(name), storableJson(member)]));
}
