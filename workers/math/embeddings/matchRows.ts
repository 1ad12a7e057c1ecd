import type { NumberTable } from './numberTable.ts';

/** Rows of two tables that belong together, pair by pair, in the order of the first table. */
export interface MatchedRows {
  first: Int32Array<ArrayBuffer>;
  second: Int32Array<ArrayBuffer>;
}

/** Pairs rows that have the same id. What has none (null), or has one that its table has twice, is in no pair. */
export function matchRows(first: readonly (string | null)[], second: readonly (string | null)[]): MatchedRows {
  const there = onlyRows(second);
  const pairs = [...onlyRows(first)].flatMap(([id, row]) => {
    const other = there.get(id);
    return other === undefined ? [] : [[row, other] as const];
  });
  pairs.sort(([a], [b]) => a - b);
  return { first: Int32Array.from(pairs, ([row]) => row), second: Int32Array.from(pairs, ([, row]) => row) };
}

/** These rows of a table, in this order. */
export function selectRows({ columns, values }: NumberTable, rows: ArrayLike<number>): NumberTable {
  const selected = new Float64Array(rows.length * columns);
  for (let at = 0; at < rows.length; at++) {
    selected.set(values.subarray(rows[at]! * columns, (rows[at]! + 1) * columns), at * columns);
  }
  return { rows: rows.length, columns, values: selected };
}

/** The row of each id that one row has. */
function onlyRows(ids: readonly (string | null)[]): Map<string, number> {
  const rows = new Map<string, number>();
  const twice = new Set<string>();
  for (const [row, id] of ids.entries()) {
    if (id === null) continue;
    if (rows.has(id)) twice.add(id);
    else rows.set(id, row);
  }
  for (const id of twice) rows.delete(id);
  return rows;
}
