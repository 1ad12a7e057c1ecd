import { badInput } from '#src/contracts/errors.ts';

/** Refuses row numbers that are not in a table of `rows` rows, or are not as many as `expected`. Throws BAD_INPUT. */
export function checkIds(
  where: string,
  ids: Int32Array,
  { rows, expected }: { rows: number; expected?: number },
): void {
  if (ids.length === 0) throw badInput(`${where}: no row numbers; expected at least one`);
  if (expected !== undefined && ids.length !== expected) {
    throw badInput(`${where}: ${ids.length} row numbers; expected ${expected}`);
  }
  for (let at = 0; at < ids.length; at++) {
    const id = ids[at]!;
    if (id < 0 || id >= rows) {
      throw badInput(`${where}: row number ${id} at place ${at}; the table has rows 0 to ${rows - 1}`);
    }
  }
}
