import { singleLine } from '#src/base/lib/printable.ts';
import { cutText, padText, textWidth } from './textWidth.ts';

export interface TableColumn {
  header: string;
  /** Numbers stand to the right. */
  align?: 'left' | 'right';
  /**
   * Cells that the column keeps when the table is too wide for the screen; of columns without one the header may be cut, but no
   * cell.
   */
  minimum?: number;
}

export interface TableOptions {
  /** Cells that a line may take; without it, as in a file, nothing is cut, and what is very long does not widen the other rows. */
  width?: number | undefined;
  /** How a header is shown. */
  styleHeader?: (text: string) => string;
}

const GAP = '  ';
/** Where nothing is cut, cells of a column that its other rows are padded to at most. */
export const MOST_PADDING = 48;
/** Cells that a long header keeps. */
const SHORTEST_HEADER = 16;

/**
 * Lines of a table: a header, then one line per row. Columns are as wide as their widest cell; where that is more than the
 * screen, the widest of those that may be cut are cut first.
 */
export function renderTable(given: readonly TableColumn[], cells: readonly string[][], options: TableOptions = {}) {
  const columns = given.map((column) => ({ ...column, header: singleLine(column.header) }));
  const rows = cells.map((row) => row.map(singleLine));
  const contents = columns.map((_, index) => Math.max(0, ...rows.map((row) => textWidth(row[index] ?? ''))));
  const widths = columns.map((column, index) => Math.max(textWidth(column.header), contents[index] ?? 0));
  const least = columns.map(({ header, minimum }, index) => {
    return minimum ?? Math.max(contents[index] ?? 0, Math.min(textWidth(header), SHORTEST_HEADER));
  });
  if (options.width !== undefined) shrink(widths, least, options.width);
  const places = options.width === undefined ? paddedWidths(columns, rows, widths) : widths;
  const style = options.styleHeader ?? ((text: string) => text);
  const line = (cells: readonly string[], isHeader: boolean) =>
    columns
      .map((column, index) => {
        const cut = isHeader ? cutMiddle : cutText;
        const text = cut(cells[index] ?? '', widths[index] ?? 0);
        return padText(isHeader ? style(text) : text, places[index] ?? 0, column.align);
      })
      .join(GAP)
      .trimEnd();
  return [
    line(
      columns.map((column) => column.header),
      true,
    ),
    ...rows.map((row) => line(row, false)),
  ];
}

/** A name's beginning and end: names of metrics often differ in one of them only. */
function cutMiddle(text: string, width: number): string {
  if (textWidth(text) <= width || width < 9) return cutText(text, width);
  const end = text.slice(-Math.floor((width - 1) / 2));
  return textWidth(end) < width ? `${cutText(text, width - textWidth(end))}${end}` : cutText(text, width);
}

/** As wide as the widest cell that is not very long. */
function paddedWidths(
  columns: readonly TableColumn[],
  rows: readonly string[][],
  widths: readonly number[],
): readonly number[] {
  return widths.map((width, index) => {
    if (width <= MOST_PADDING) return width;
    const cells = [columns[index]?.header ?? '', ...rows.map((row) => row[index] ?? '')].map(textWidth);
    return Math.max(...cells.filter((cell) => cell <= MOST_PADDING), 0);
  });
}

function shrink(widths: number[], least: readonly number[], limit: number): void {
  let excess = widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1) - limit;
  while (excess > 0) {
    let widest = -1;
    for (let i = 0; i < widths.length; i++) {
      if (widths[i]! <= least[i]!) continue;
      if (widest < 0 || widths[i]! > widths[widest]!) widest = i;
    }
    if (widest < 0) return;
    widths[widest]! -= 1;
    excess -= 1;
  }
}
