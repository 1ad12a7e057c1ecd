import { isPlainObject, type PlainObject } from './plainObject.ts';

/** What a program gives, with what its sweep has drawn over it, also within nested objects. */
export function laidOver(given: PlainObject, drawn: PlainObject): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...given };
  for (const [name, value] of Object.entries(drawn)) {
    const below = merged[name];
    merged[name] = isPlainObject(below) && isPlainObject(value) ? laidOver(below, value) : value;
  }
  return merged;
}
