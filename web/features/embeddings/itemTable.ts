import { CsvError, parse } from 'csv-parse/browser/esm/sync';
import * as z from 'zod/mini';

export type ItemValue = string | number | null;

export interface ItemColumn {
  name: string;
  /** (rows) Numbers alone, or texts alone, or nothing. */
  values: ItemValue[];
  isNumeric: boolean;
}

/** What is known of the items, one row each in the order of the embedding's rows. */
export interface ItemTable {
  rowCount: number;
  columns: ItemColumn[];
}

const objects = z.array(z.record(z.string(), z.unknown()));
const table = z.object({ columns: z.array(z.string()), data: z.array(z.array(z.unknown())) });

/** Columns with names for people, the better first. */
const NAMES = ['title', 'name', 'label', 'text', 'id', 'item'];

/** Columns that tell items apart, the better first. */
const IDS = ['id', 'item_id', 'item', 'user_id', 'user'];

/** Ends of the names of files that may be such tables. */
export const ITEM_FILE = /\.(csv|tsv|jsonl|ndjson|json)$/i;

/**
 * Reads a table of items: CSV or TSV with a head, JSON-lines of objects, a JSON array of objects or of ids, or a logged table
 * (`{"columns": [names], "data": [rows]}`). A column `row` says to which row of the embedding a line belongs, counted from 0;
 * without it lines are in order.
 * @throws Error that says why it cannot be read.
 */
export function readItemTable(text: string, fileName: string): ItemTable {
  const { names, rows } = rawTable(text, fileName);
  if (names.length === 0 || rows.length === 0)
    throw new Error(`${fileName}: there are no rows; expected one for each item.`);
  const placed = inOrder(names, rows, fileName);
  const columns = names.flatMap((name, column): ItemColumn[] =>
    name === 'row'
      ? []
      : [
          columnOf(
            name,
            placed.map((row) => row?.[column]),
          ),
        ],
  );
  return { rowCount: placed.length, columns };
}

/** The column that names items; null where none is known to. */
export function namingColumn({ columns }: ItemTable): ItemColumn | null {
  for (const wanted of NAMES) {
    const found = columns.find(({ name }) => name.toLowerCase() === wanted);
    if (found !== undefined) return found;
  }
  return null;
}

/** The column that tells items apart; null where there is none. */
export function idColumn({ columns }: ItemTable): ItemColumn | null {
  for (const wanted of IDS) {
    const found = columns.find(({ name }) => name.toLowerCase() === wanted);
    if (found !== undefined) return found;
  }
  return null;
}

interface RawTable {
  names: string[];
  rows: unknown[][];
}

function rawTable(text: string, fileName: string): RawTable {
  const ending = ITEM_FILE.exec(fileName)?.[1]?.toLowerCase();
  try {
    if (ending === 'csv' || ending === 'tsv') return separated(text, ending === 'tsv' ? '\t' : ',');
    if (ending === 'jsonl' || ending === 'ndjson') {
      const lines = text.split('\n').filter((line) => line.trim() !== '');
      return fromObjects(lines.map((line): unknown => JSON.parse(line)));
    }
    if (ending === 'json') {
      const content: unknown = JSON.parse(text);
      const logged = table.safeParse(content);
      return logged.success ? { names: logged.data.columns, rows: logged.data.data } : fromObjects(content);
    }
  } catch (error) {
    const why = error instanceof CsvError || error instanceof Error ? error.message : String(error);
    throw new Error(`${fileName} cannot be read: ${why}`);
  }
  throw new Error(`${fileName}: expected a name that ends with .csv, .tsv, .jsonl or .json.`);
}

function separated(text: string, delimiter: string): RawTable {
  const lines: string[][] = parse(text, { bom: true, delimiter, relax_column_count: true, skip_empty_lines: true });
  return { names: lines[0] ?? [], rows: lines.slice(1) };
}

function fromObjects(content: unknown): RawTable {
  const ids = z.array(z.union([z.string(), z.number()])).safeParse(content);
  if (ids.success) return { names: ['id'], rows: ids.data.map((id) => [id]) };
  const parsed = objects.safeParse(content);
  if (!parsed.success) throw new Error('expected an object for each item, such as {"title": "A", "popularity": 3}');
  const names = [...new Set(parsed.data.slice(0, 1000).flatMap((one) => Object.keys(one)))];
  return { names, rows: parsed.data.map((one) => names.map((name) => one[name])) };
}

function inOrder(names: readonly string[], rows: unknown[][], fileName: string): (unknown[] | undefined)[] {
  const column = names.indexOf('row');
  if (column < 0) return rows;
  const placed: (unknown[] | undefined)[] = [];
  for (const row of rows) {
    const at = Number(row[column]);
    if (!Number.isInteger(at) || at < 0 || at > 1e7) {
      throw new Error(
        `${fileName}: its column "row" holds ${JSON.stringify(row[column])}; expected whole numbers from 0.`,
      );
    }
    placed[at] = row;
  }
  return Array.from(placed);
}

function columnOf(name: string, cells: readonly unknown[]): ItemColumn {
  const texts = cells.map((cell) => (cell === null || cell === undefined || cell === '' ? null : cellText(cell)));
  const isNumeric = texts.some((text) => text !== null) && texts.every((text) => text === null || isNumber(text));
  return { name, isNumeric, values: isNumeric ? texts.map((text) => (text === null ? null : Number(text))) : texts };
}

function cellText(cell: unknown): string {
  if (Array.isArray(cell)) return cell.map(cellText).join(', ');
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}

function isNumber(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text));
}
