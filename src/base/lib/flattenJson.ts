import { isPlainObject } from './plainObject.ts';

/**
 * The leaves of JSON objects under dotted paths, as the filter language writes them; segments that are no plain words are
 * quoted. Arrays and empty objects are leaves.
 */
export function flattenJson(value: unknown, path: string): [string, unknown][] {
  if (!isPlainObject(value)) return [[path, value]];
  const members = Object.entries(value);
  if (members.length === 0) return [[path, value]];
  return members.flatMap(([key, member]) => flattenJson(member, `${path}.${segment(key)}`));
}

function segment(key: string): string {
  return /^[\w@/:+-]+$/.test(key) ? key : `"${key.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
