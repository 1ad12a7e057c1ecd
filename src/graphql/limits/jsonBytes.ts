const known = new WeakMap<object, number>();

/** Characters of a value as JSON; counted once for an object, however often it is shown. */
export function jsonBytes(value: unknown): number {
  if (typeof value !== 'object' || value === null) return String(value).length;
  const counted = known.get(value);
  if (counted !== undefined) return counted;
  const length = JSON.stringify(value).length;
  known.set(value, length);
  return length;
}
