import { expect, test } from 'vitest';
import { cellText, joinTables, orderRows, parseTable, type TableData } from '#web/features/media/tableData.ts';

const table = parseTable(
  JSON.stringify({
    columns: ['item', 'score'],
    data: [
      ['b', 2],
      ['a', null],
      ['c', 10],
      ['a', -1],
    ],
  }),
);

function rowsOf(data: TableData, rows: ArrayLike<number>): string[] {
  return Array.from(rows, (row) => data.cells.map((cells) => cellText(cells[row]!)).join(' '));
}

const shown = (column: number | null, descending: boolean, filter = '') =>
  rowsOf(table, orderRows(table, { column, descending, filter }));

test('rows are sorted by numbers or texts, empty cells last, equal ones in their order', () => {
  expect(shown(null, false)).toEqual(['b 2', 'a ', 'c 10', 'a -1']);
  expect(shown(1, false)).toEqual(['a -1', 'b 2', 'c 10', 'a ']);
  expect(shown(1, true)).toEqual(['c 10', 'b 2', 'a -1', 'a ']);
  expect(shown(0, false)).toEqual(['a ', 'a -1', 'b 2', 'c 10']);
  expect(shown(0, true)).toEqual(['c 10', 'b 2', 'a ', 'a -1']);
});

test('rows are found by words and by comparisons', () => {
  expect(shown(null, false, 'A')).toEqual(['a ', 'a -1']);
  expect(shown(null, false, 'c 10')).toEqual(['c 10']);
  expect(shown(null, false, 'score >= 2')).toEqual(['b 2', 'c 10']);
  expect(shown(null, false, 'item != a')).toEqual(['b 2', 'c 10']);
  expect(shown(null, false, 'nobody > 3')).toEqual([]);
});

test('two tables are joined by a column, each row with all of its partners, and their numbers are subtracted', () => {
  const other = parseTable('{"columns":["score","item"],"data":[[5,"a"],[7,"a"],[1,"d"]]}');
  const joined = joinTables(table, other, 'item', ['#1', '#2']);
  expect(joined.columns).toEqual(['item', 'score (#1)', 'score (#2)', 'score: difference']);
  expect(
    rowsOf(
      joined,
      Array.from({ length: joined.rowCount }, (_, row) => row),
    ),
  ).toEqual([...['b 2  ', 'a  5 ', 'a  7 ', 'c 10  ', 'a -1 5 6', 'a -1 7 8', 'd  1 ']]);
  expect(() => joinTables(table, other, 'user', ['', ''])).toThrow('not both tables have a column "user"');
});

test('what is no table is said to be none', () => {
  expect(() => parseTable('{"columns":["a"],"data":{}}')).toThrow('it is no {"columns"');
});
