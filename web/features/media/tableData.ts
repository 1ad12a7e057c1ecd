import * as z from 'zod/mini';

/** A cell as JSON has it. */
export type Cell = string | number | boolean | null | object;

/** A table in columns: (columns) names, (columns)(rows) cells. */
export interface TableData {
  columns: string[];
  cells: Cell[][];
  rowCount: number;
}

export interface TableOrder {
  /** Position of the column; null: the order of the table. */
  column: number | null;
  descending: boolean;
  /** Words that a row must have, or a comparison such as `score > 0.5`. */
  filter: string;
}

const schema = z.object({ columns: z.array(z.string()), data: z.array(z.array(z.unknown())) });

/** A logged table from its JSON. @throws Error that says why it is none. */
export function parseTable(text: string): TableData {
  const parsed = schema.safeParse(JSON.parse(text));
  if (!parsed.success) throw new Error('it is no {"columns": [names], "data": [rows]}');
  const { columns, data } = parsed.data;
  const cells = columns.map((_, column) => data.map((row) => cellOf(row[column])));
  return { columns, cells, rowCount: data.length };
}

function cellOf(value: unknown): Cell {
  const plain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return plain || (typeof value === 'object' && value !== null) ? value : null;
}

/** The whole content of a cell: by it rows are found and ordered. */
export function cellText(cell: Cell): string {
  if (cell === null) return '';
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}

/** Numbers of the rows that are shown, in order. @throws Error for a comparison with a column that is not there. */
export function orderRows(table: TableData, { column, descending, filter }: TableOrder): Int32Array {
  const wanted = rowFilter(table, filter);
  const rows = new Int32Array(table.rowCount);
  let count = 0;
  for (let row = 0; row < table.rowCount; row++) if (wanted(row)) rows[count++] = row;
  const found = rows.subarray(0, count);
  return column === null ? found : sorted(table.cells[column] ?? [], found, descending);
}

/** Numbers before texts, empty cells last either way; equal cells keep their order. */
function sorted(cells: readonly Cell[], rows: Int32Array, descending: boolean): Int32Array {
  const full = rows.filter((row) => cells[row] !== null);
  const empty = rows.filter((row) => cells[row] === null);
  const sign = descending ? -1 : 1;
  const areNumbers = full.every((row) => typeof cells[row] === 'number');
  if (areNumbers) {
    const keys = Float64Array.from(cells, (cell) => (typeof cell === 'number' ? cell : 0));
    full.sort((a, b) => sign * (keys[a]! - keys[b]!) || a - b);
  } else {
    // ranks of the distinct texts: comparing whole numbers is far cheaper than comparing texts in each step
    const rank = new Map([...new Set(full)].map((row) => [sortKey(cells[row]!), 0]));
    for (const [place, key] of [...rank.keys()].sort(compareKeys).entries()) rank.set(key, place);
    const keys = Int32Array.from(cells, (cell) => (cell === null ? 0 : (rank.get(sortKey(cell)) ?? 0)));
    full.sort((a, b) => sign * (keys[a]! - keys[b]!) || a - b);
  }
  const all = new Int32Array(rows.length);
  all.set(full);
  all.set(empty, full.length);
  return all;
}

type SortKey = number | string;

function sortKey(cell: Exclude<Cell, null>): SortKey {
  return typeof cell === 'number' ? cell : cellText(cell);
}

function compareKeys(a: SortKey, b: SortKey): number {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1;
  if (typeof b === 'number') return 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

const COMPARISON = /^\s*(.+?)\s*(<=|>=|!=|=|<|>)\s*(.*?)\s*$/;

function rowFilter(table: TableData, filter: string): (row: number) => boolean {
  const text = filter.trim();
  if (text === '') return () => true;
  const [, name = '', operator, value = ''] = COMPARISON.exec(text) ?? [];
  const column = table.columns.indexOf(name);
  if (operator !== undefined && column >= 0) return comparison(table.cells[column] ?? [], operator, value);
  const words = text.toLowerCase().split(/\s+/);
  return (row) => {
    const cells = table.cells.map((cellsOf) => cellText(cellsOf[row] ?? null).toLowerCase());
    return words.every((word) => cells.some((cell) => cell.includes(word)));
  };
}

function comparison(cells: readonly Cell[], operator: string, value: string): (row: number) => boolean {
  const number = value === '' ? Number.NaN : Number(value);
  const order = (cell: Cell): number => {
    if (typeof cell === 'number' && !Number.isNaN(number)) return cell - number;
    const text = cellText(cell);
    return text === value ? 0 : text < value ? -1 : 1;
  };
  const holds: Record<string, (order: number) => boolean> = {
    '=': (o) => o === 0,
    '!=': (o) => o !== 0,
    '<': (o) => o < 0,
    '<=': (o) => o <= 0,
    '>': (o) => o > 0,
    '>=': (o) => o >= 0,
  };
  const test = holds[operator] ?? (() => true);
  return (row) => cells[row] !== null && cells[row] !== undefined && test(order(cells[row]));
}

/**
 * Rows of two tables beside each other where their cells of one column are the same; a row without a partner stands alone.
 * Columns are told apart by the labels; of columns that both have and that hold numbers, the difference follows.
 */
export function joinTables(
  left: TableData,
  right: TableData,
  key: string,
  labels: readonly [string, string],
): TableData {
  const [leftKey, rightKey] = [left.columns.indexOf(key), right.columns.indexOf(key)];
  if (leftKey < 0 || rightKey < 0) throw new Error(`not both tables have a column "${key}"`);
  const { lefts, rights } = pairRows(left.cells[leftKey]!, right.cells[rightKey]!);
  const take = (cells: readonly Cell[], rows: readonly number[]) => rows.map((row) => (row < 0 ? null : cells[row]!));
  const columns = [key];
  const keyOf = (row: number, i: number) =>
    row < 0 ? right.cells[rightKey]![rights[i]!]! : left.cells[leftKey]![row]!;
  const cells: Cell[][] = [lefts.map(keyOf)];
  const add = (name: string, column: Cell[]) => {
    columns.push(name);
    cells.push(column);
  };
  for (const name of new Set([...left.columns, ...right.columns])) {
    if (name === key) continue;
    const [a, b] = [left.columns.indexOf(name), right.columns.indexOf(name)];
    const ofLeft = a < 0 ? null : take(left.cells[a]!, lefts);
    const ofRight = b < 0 ? null : take(right.cells[b]!, rights);
    if (ofLeft !== null) add(`${name} (${labels[0]})`, ofLeft);
    if (ofRight !== null) add(`${name} (${labels[1]})`, ofRight);
    if (ofLeft !== null && ofRight !== null && hasNumbers(ofLeft) && hasNumbers(ofRight)) {
      add(
        `${name}: difference`,
        ofLeft.map((cell, i) => difference(cell, ofRight[i] ?? null)),
      );
    }
  }
  return { columns, cells, rowCount: lefts.length };
}

/** Rows whose keys are the same, pair by pair; -1 where one has no partner. Those of the right alone come last. */
function pairRows(leftKeys: readonly Cell[], rightKeys: readonly Cell[]): { lefts: number[]; rights: number[] } {
  // the first row of each key, and after each row the next one of the same key
  const first = new Map<string | number, number>();
  const next = new Int32Array(rightKeys.length).fill(-1);
  for (let row = rightKeys.length - 1; row >= 0; row--) {
    const key = joinKey(rightKeys[row]!);
    next[row] = first.get(key) ?? -1;
    first.set(key, row);
  }
  const met = new Uint8Array(rightKeys.length);
  const lefts: number[] = [];
  const rights: number[] = [];
  leftKeys.forEach((cell, row) => {
    let partner = first.get(joinKey(cell)) ?? -1;
    do {
      lefts.push(row);
      rights.push(partner);
      if (partner < 0) break;
      met[partner] = 1;
      partner = next[partner]!;
    } while (partner >= 0);
  });
  for (let row = 0; row < rightKeys.length; row++) {
    if (met[row] === 1) continue;
    lefts.push(-1);
    rights.push(row);
  }
  return { lefts, rights };
}

/** Texts and numbers are told apart by the map itself. */
function joinKey(cell: Cell): string | number {
  return typeof cell === 'number' ? cell : cellText(cell);
}

function hasNumbers(cells: readonly Cell[]): boolean {
  return cells.every((cell) => cell === null || typeof cell === 'number') && cells.some((cell) => cell !== null);
}

function difference(left: Cell, right: Cell): Cell {
  return typeof left === 'number' && typeof right === 'number' ? right - left : null;
}
