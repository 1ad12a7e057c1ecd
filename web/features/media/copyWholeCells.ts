import type { ClipboardEvent } from 'react';

/**
 * Copies what is selected of a table with the whole content of its cells, their titles, where they show numbers shortened: a line
 * a row, cells apart by tabs. Of a part of one cell, that part is copied.
 */
export function copyWholeCells(event: ClipboardEvent<HTMLElement>): void {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed) return;
  const range = selection.getRangeAt(0);
  const rows = [...event.currentTarget.querySelectorAll('tr')]
    .map((row) => [...row.cells].filter((cell) => isSelected(range, cell)))
    .filter((cells) => cells.length > 0);
  const [only, ...others] = rows.flat();
  if (only === undefined || (others.length === 0 && selectedText(range, only) !== only.textContent)) return;
  event.clipboardData.setData('text/plain', rows.map((cells) => cells.map(({ title }) => title).join('\t')).join('\n'));
  event.preventDefault();
}

/** Whether something of a cell is selected; the end of a selection may lie before the first letter of the next cell. */
function isSelected(range: Range, cell: HTMLElement): boolean {
  return range.intersectsNode(cell) && (cell.textContent === '' || selectedText(range, cell) !== '');
}

function selectedText(range: Range, cell: HTMLElement): string {
  const part = document.createRange();
  part.selectNodeContents(cell);
  if (range.compareBoundaryPoints(Range.START_TO_START, part) > 0)
    part.setStart(range.startContainer, range.startOffset);
  if (range.compareBoundaryPoints(Range.END_TO_END, part) < 0) part.setEnd(range.endContainer, range.endOffset);
  return part.toString();
}
