import { formatNumber } from '#web/lib/formatNumber.ts';
import { type Cell, cellText } from './tableData.ts';

const DIGITS = 4;

/** What a cell of a logged table shows: fractions in four significant digits, all else whole. */
export function shownCell(cell: Cell): string {
  if (typeof cell !== 'number') return cellText(cell);
  return Number.isInteger(cell) ? String(cell).replace('-', '−') : formatNumber(cell, DIGITS);
}
