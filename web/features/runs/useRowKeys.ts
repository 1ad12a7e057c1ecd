import { type KeyboardEvent, useCallback } from 'react';
import type { BeginEditing, EditedField } from './useRowEditing.ts';

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: 15, PageUp: -15 };

/** Keys that change a run where it stands. */
const EDITS: Record<string, EditedField> = { e: 'name', t: 'tags', n: 'notes' };

export interface RowKeyActions {
  scrollTo(index: number): void;
  onEdit: BeginEditing | null;
  /** Compares the runs that are selected. */
  onCompare(): void;
}

/**
 * Keys inside the rows: arrows (or j and k) go to the same place of the next row, Enter on a box opens its run, e edits its
 * name, t its tags, n its notes, h hides its curve or shows it again, o gives it another color, c compares those that are selected.
 */
export function useRowKeys(rowCount: number, { scrollTo, onEdit, onCompare }: RowKeyActions) {
  return useCallback(
    (event: KeyboardEvent<HTMLElement>) => {
      const row = event.target instanceof Element ? event.target.closest('tr') : null;
      if (row === null || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof HTMLInputElement && event.target.type !== 'checkbox') return;
      const isBox = event.target instanceof HTMLInputElement;
      if (event.key === 'Enter' && isBox) {
        row.querySelector('a')?.click();
        return;
      }
      const edited = EDITS[event.key];
      if (edited !== undefined && onEdit !== null && row.dataset.run !== undefined) {
        event.preventDefault();
        // a cell that is not drawn would open when it is scrolled into sight
        if (row.querySelector(`[data-edits="${edited}"]`) !== null) onEdit(row.dataset.run, edited);
        return;
      }
      if (event.key === 'h') {
        row.querySelector<HTMLElement>('.curve-toggle')?.click();
        return;
      }
      if (event.key === 'o') {
        const press = new MouseEvent('click', { bubbles: true, shiftKey: true });
        row.querySelector('.curve-toggle')?.dispatchEvent(press);
        return;
      }
      if (event.key === 'c') {
        event.preventDefault();
        onCompare();
        return;
      }
      const step = STEPS[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const body = event.currentTarget;
      const selector = isBox ? 'input' : 'th a';
      const wanted = Number(row.dataset.row) + step;
      focusRow(body, Math.min(rowCount - 1, Math.max(0, wanted)), { selector, direction: Math.sign(step), scrollTo });
    },
    [rowCount, scrollTo, onEdit, onCompare],
  );
}

interface FocusOptions {
  selector: string;
  direction: number;
  scrollTo(index: number): void;
}

/** Gives a row the focus, at once where it is drawn, else when it has been scrolled to; heads of groups are stepped over. */
function focusRow(body: HTMLElement, index: number, options: FocusOptions): void {
  if (focusDrawnRow(body, index, options)) return;
  options.scrollTo(index);
  requestAnimationFrame(() => focusDrawnRow(body, index, options));
}

function focusDrawnRow(body: HTMLElement, index: number, { selector, direction }: FocusOptions): boolean {
  for (let at = index; ; at += direction) {
    const row = body.querySelector(`[data-row="${at}"]`);
    if (row === null) return false;
    const target = row.querySelector<HTMLElement>(selector);
    if (target === null) continue;
    target.focus();
    return true;
  }
}
