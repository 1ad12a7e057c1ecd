import { badInput } from '#src/base/contracts/errors.ts';

/**
 * Refuses row numbers that are not in a table of `rows` rows, or are not as many as `expected`; with `blanks`, -1 is one, too.
 * Throws BAD_INPUT.
 */
export function checkIds(
  where: string,
  ids: Int32Array,
  { rows, expected, blanks = false }: { rows: number; expected?: number; blanks?: boolean },
): void {
  if (ids.length === 0) throw badInput(`${where}: no row numbers; expected at least one`);
  if (expected !== undefined && ids.length !== expected) {
    throw badInput(`${where}: ${ids.length} row numbers; expected ${expected}`);
  }
  const least = blanks ? -1 : 0;
  for (let at = 0; at < ids.length; at++) {
    const id = ids[at]!;
    if (id < least || id >= rows) {
      throw badInput(`${where}: row number ${id} at place ${at}; the table has rows 0 to ${rows - 1}`);
    }
  }
}
