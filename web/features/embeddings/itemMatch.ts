import { matchRows } from '#workers/math/embeddings/matchRows.ts';
import type { ItemMatch } from './embeddingMessages.ts';
import { idColumn, type ItemTable, namingColumn } from './itemTable.ts';

/**
 * Which rows of two embeddings are the same item by what their runs tell of them; null where a table has no ids, or not a row
 * for each row of its embedding.
 */
export function itemMatch(tables: readonly [ItemTable, ItemTable], rows: readonly [number, number]): ItemMatch | null {
  const ids = tables.map((table, side) => {
    const column = table.rowCount === rows[side] ? idColumn(table) : null;
    return column?.values.map((value) => (value === null ? null : String(value))) ?? null;
  });
  const [first, second] = ids;
  if (first == null || second == null) return null;
  const pairs = matchRows(first, second);
  const toSecond = new Int32Array(rows[0]).fill(-1);
  const toFirst = new Int32Array(rows[1]).fill(-1);
  for (let at = 0; at < pairs.first.length; at++) {
    toSecond[pairs.first[at]!] = pairs.second[at]!;
    toFirst[pairs.second[at]!] = pairs.first[at]!;
  }
  const naming = namingColumn(tables[1]);
  return { pairs, toSecond, toFirst, secondNames: second.map((id, row) => String(naming?.values[row] ?? id ?? row)) };
}
