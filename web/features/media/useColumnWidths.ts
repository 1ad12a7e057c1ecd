import { useLayoutEffect, useState } from 'react';
import { shownCell } from './shownCell.ts';
import type { ShownTable } from './useTable.ts';

/** Widths in characters. */
const LEAST = 4;
const MOST = 48;
/** Room for the mark of the order beside a column's name. */
const SORT_MARK = 2;

/**
 * How wide each column of a table is, in characters: as wide as what was seen of it. Columns grow with the rows that come into
 * sight and never shrink, so that nothing jumps to and fro.
 * @param range The first and the last row in sight.
 */
export function useColumnWidths(table: ShownTable, [first, last]: readonly [number, number]): readonly number[] {
  const [seen, setSeen] = useState<readonly number[]>([]);
  useLayoutEffect(() => {
    const rows = Array.from({ length: last - first + 1 }, (_, index) => table.row(first + index) ?? []);
    const widths = table.columns.map((name, column) =>
      rows.reduce(
        (most, row) => Math.max(most, Math.min(MOST, shownCell(row[column] ?? null).length)),
        Math.max(LEAST, Math.min(MOST, name.length + SORT_MARK), seen[column] ?? 0),
      ),
    );
    if (widths.length !== seen.length || widths.some((width, column) => width !== seen[column])) setSeen(widths);
  });
  return table.columns.map((name, column) => seen[column] ?? Math.max(LEAST, Math.min(MOST, name.length + SORT_MARK)));
}
