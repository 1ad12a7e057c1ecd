import { parse } from 'csv-parse/browser/esm/sync';
import { areNumbers } from '#web/lib/areNumbers.ts';
import { type ParameterDigits, parameterDigits, parameterText } from '#web/lib/parameterNumber.ts';

export interface BeginningColumn {
  name: string;
  isNumeric: boolean;
  /** (rows) As they stand in the file. */
  cells: string[];
  /** (rows) As they are shown: of numbers that have more, four significant digits. */
  texts: string[];
}

/** The first rows and columns of a file whose lines have separated values. */
export interface TableBeginning {
  columns: BeginningColumn[];
  shownRows: number;
  /** Rows that were read. */
  rowCount: number;
  columnCount: number;
}

const MOST_ROWS = 100;
const MOST_COLUMNS = 30;

/**
 * Reads the beginning of a CSV or TSV file. The first line is the head, unless it holds numbers alone.
 * @param isWhole Whether the text is all of the file; else its last line may be cut off.
 * @returns null where there is no line.
 */
export function tableBeginning(
  text: string,
  { isTsv, isWhole }: { isTsv: boolean; isWhole: boolean },
): TableBeginning | null {
  const end = isWhole ? text.length : text.lastIndexOf('\n') + 1;
  const lines: string[][] = parse(text.slice(0, end), {
    ...{ bom: true, delimiter: isTsv ? '\t' : delimiterOf(text) },
    ...{ relax_column_count: true, relax_quotes: true, skip_empty_lines: true },
    // a cell in quotes may be cut off, too
    skip_records_with_error: !isWhole,
  });
  const [first] = lines;
  if (first === undefined) return null;
  const hasHead = !first.every((cell) => areNumbers([cell]));
  const rows = hasHead ? lines.slice(1) : lines;
  const shown = rows.slice(0, MOST_ROWS);
  const columnCount = lines.reduce((most, line) => Math.max(most, line.length), 0);
  const columns = Array.from({ length: Math.min(MOST_COLUMNS, columnCount) }, (_, column) => {
    const cells = shown.map((row) => row[column] ?? '');
    return { name: (hasHead ? first[column] : undefined) ?? String(column + 1), cells, ...shownCells(cells) };
  });
  return { columns, shownRows: shown.length, rowCount: rows.length, columnCount };
}

function shownCells(cells: readonly string[]): Pick<BeginningColumn, 'isNumeric' | 'texts'> {
  if (!areNumbers(cells)) return { isNumeric: false, texts: [...cells] };
  const digits = parameterDigits(cells.filter(isNumber).map(Number));
  return { isNumeric: true, texts: cells.map((cell) => numberText(cell, digits)) };
}

function numberText(cell: string, digits: ParameterDigits): string {
  return digits === 'written' || !isNumber(cell) ? cell : parameterText(Number(cell), digits);
}

function isNumber(cell: string): boolean {
  return cell.trim() !== '' && Number.isFinite(Number(cell));
}

/** Spreadsheets of countries with a decimal comma separate by semicolons. */
function delimiterOf(text: string): string {
  const line = text.slice(0, text.indexOf('\n') >= 0 ? text.indexOf('\n') : text.length);
  return line.split(';').length > line.split(',').length ? ';' : ',';
}
