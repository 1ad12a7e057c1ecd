import { asPlainObject } from '#src/base/lib/plainObject.ts';

/** Tags as they are typed: `key=value`, one a line. */
export function linesOfTags(tags: unknown): string {
  return Object.entries(asPlainObject(tags))
    .map(([key, value]) => `${key}=${String(value)}`)
    .join('\n');
}

/** What of the tags was changed by typing; the line that is none where there is one. */
export function tagChanges(
  before: unknown,
  typed: string,
): { changes: { key: string; value: string | null }[] } | { problem: string } {
  const after = new Map<string, string>();
  for (const line of typed.split('\n').map((each) => each.trim())) {
    if (line === '') continue;
    const [, key = '', value = ''] = /^([^=]+)=(.*)$/.exec(line) ?? [];
    if (key.trim() === '') return { problem: `${line}: expected key=value.` };
    if (after.has(key.trim())) return { problem: `${key.trim()} is there twice.` };
    after.set(key.trim(), value.trim());
  }
  const known = new Map(Object.entries(asPlainObject(before)).map(([key, value]) => [key, String(value)]));
  const gone = [...known.keys()].filter((key) => !after.has(key)).map((key) => ({ key, value: null }));
  const set = [...after].filter(([key, value]) => known.get(key) !== value).map(([key, value]) => ({ key, value }));
  return { changes: [...gone, ...set] };
}
