import { flattenObject, type PlainObject } from '#src/base/lib/plainObject.ts';

const collator = new Intl.Collator('en', { numeric: true });

/** The leaves of a JSON object by dotted path, in the order of their names: the database keeps no other. */
export function leavesByName(object: PlainObject): [path: string, value: unknown][] {
  return flattenObject(object).sort(([a], [b]) => collator.compare(a, b));
}
