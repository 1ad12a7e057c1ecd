import { cutText, padText, textWidth } from './textWidth.ts';

export interface TableColumn {
  header: string;
  /** Numbers stand to the right. */
  align?: 'left' | 'right';
  /** Cells that the column keeps when the table is too wide for the screen; columns without one are never cut. */
  minimum?: number;
}

export interface TableOptions {
  /** Cells that a line may take; without it nothing is cut. */
  width?: number | undefined;
  /** How a header is shown. */
  styleHeader?: (text: string) => string;
}

const GAP = '  ';

/**
 * Lines of a table: a header, then one line per row. Columns are as wide as their widest cell; where that is more than the
 * screen, the widest of those that have a `minimum` are cut first.
 */
export function renderTable(columns: readonly TableColumn[], rows: readonly string[][], options: TableOptions = {}) {
  const widths = columns.map((column, index) =>
    Math.max(textWidth(column.header), ...rows.map((row) => textWidth(row[index] ?? ''))),
  );
  if (options.width !== undefined) shrink(widths, columns, options.width);
  const style = options.styleHeader ?? ((text: string) => text);
  const line = (cells: readonly string[], isHeader: boolean) =>
    columns
      .map((column, index) => {
        const text = cutText(cells[index] ?? '', widths[index] ?? 0);
        return padText(isHeader ? style(text) : text, widths[index] ?? 0, column.align);
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

function shrink(widths: number[], columns: readonly TableColumn[], limit: number): void {
  let excess = widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1) - limit;
  while (excess > 0) {
    let widest = -1;
    for (let i = 0; i < widths.length; i++) {
      const minimum = columns[i]?.minimum;
      if (minimum === undefined || widths[i]! <= minimum) continue;
      if (widest < 0 || widths[i]! > widths[widest]!) widest = i;
    }
    if (widest < 0) return;
    widths[widest]! -= 1;
    excess -= 1;
  }
}
