import { isPlainObject } from '#src/base/lib/plainObject.ts';

/** Objects within objects; what lies deeper is left out, for a source of others may nest them without end. */
const DEEPEST = 100;

/** Whether an object stands for one thing, as W&B and Trackio mark their media. */
export function isMarked(object: Record<string, unknown>): boolean {
  return '_type' in object;
}

/**
 * What is in a value and in the objects within it, each under its path below `name`: `outer/inner`.
 * @param isWhole Of objects that are not looked into.
 */
export function nestedMembers(
  value: unknown,
  name = '',
  isWhole: (object: Record<string, unknown>) => boolean = () => false,
): [string, unknown][] {
  const membersOf = (inside: unknown, path: string, depth: number): [string, unknown][] => {
    if (!isPlainObject(inside) || isWhole(inside)) return [[path, inside]];
    if (depth > DEEPEST) return [];
    return Object.entries(inside).flatMap(([key, member]) =>
      membersOf(member, path === '' ? key : `${path}/${key}`, depth + 1),
    );
  };
  return membersOf(value, name, 0);
}
