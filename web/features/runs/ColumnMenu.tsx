import { type KeyboardEvent, useLayoutEffect, useRef } from 'react';
import { UNSORTABLE } from './columnChoice.ts';
import { type ColumnLayout, hideColumn, moveColumn, pinColumn, resizeColumn, shadeColumn } from './columnLayout.ts';
import { columnTitle } from './columnTitle.ts';
import { isNumberColumn } from './RunCell.tsx';
import type { Sort } from './SortableHead.tsx';

export interface ColumnMenuProps {
  column: string;
  /** Beneath which it opens. */
  anchor: HTMLElement;
  layout: ColumnLayout;
  sort: Sort;
  widthOf(column: string): number;
  onLayout(layout: ColumnLayout): void;
  onClose(): void;
}

interface Entry {
  label: string;
  run(): void;
  /** It may be wanted again: the menu stays open. */
  stays?: boolean;
  disabled?: boolean;
}

const WIDTH_STEP = 40;
const WIDTH = 210;

/** What can be done with a column, over everything else on the page. */
export function ColumnMenu({ column, anchor, layout, sort, widthOf, onLayout, onClose }: ColumnMenuProps) {
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = root.current;
    if (element === null) return;
    const box = anchor.getBoundingClientRect();
    element.style.top = `${box.bottom + 2}px`;
    element.style.left = `${Math.max(8, Math.min(box.left, window.innerWidth - WIDTH - 8))}px`;
    element.showPopover();
    element.querySelector('button')?.focus();
    return () => {
      // the head may be drawn anew elsewhere by now
      if (element.contains(document.activeElement)) anchor.focus();
    };
  }, [anchor]);
  const place = layout.columns.indexOf(column);
  const isPinned = place < layout.pinned;
  const isShaded = layout.shaded.has(column);
  const title = columnTitle(column);
  const sortable = !UNSORTABLE.has(column) && !column.startsWith('curve.');
  const resized = (width: number | null) => onLayout(resizeColumn(layout, column, width));
  const entries: (Entry | null)[] = [
    sortable ? { label: 'Sort ascending', run: () => sort.onSort(column, 'ASC') } : null,
    sortable ? { label: 'Sort descending', run: () => sort.onSort(column, 'DESC') } : null,
    isNumberColumn(column) || column.startsWith('config.')
      ? {
          label: isShaded ? 'No shading' : 'Shade by value',
          run: () => onLayout(shadeColumn(layout, column, !isShaded)),
        }
      : null,
    { label: isPinned ? 'Unpin' : 'Pin', run: () => onLayout(pinColumn(layout, column, !isPinned)) },
    {
      label: 'Move left',
      stays: true,
      disabled: place <= 0,
      run: () => onLayout(moveColumn(layout, column, place - 1)),
    },
    {
      label: 'Move right',
      stays: true,
      disabled: place >= layout.columns.length - 1,
      run: () => onLayout(moveColumn(layout, column, place + 1)),
    },
    { label: 'Wider', stays: true, run: () => resized(widthOf(column) + WIDTH_STEP) },
    { label: 'Narrower', stays: true, run: () => resized(widthOf(column) - WIDTH_STEP) },
    layout.widths.has(column) ? { label: 'Usual width', run: () => resized(null) } : null,
    { label: 'Hide', run: () => onLayout(hideColumn(layout, column)) },
  ];
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const items = [...event.currentTarget.querySelectorAll('button')];
    const at = items.findIndex((item) => item.matches(':focus'));
    const wanted = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    items.at(wanted % items.length)?.focus();
  };
  return (
    <div
      ref={root}
      popover="auto"
      className="runs-column-menu"
      role="menu"
      aria-label={`Column ${title}`}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onToggle={(event) => event.newState === 'closed' && onClose()}
    >
      {entries.map(
        (entry) =>
          entry !== null && (
            <button
              key={entry.label}
              type="button"
              role="menuitem"
              aria-disabled={entry.disabled === true}
              onClick={() => {
                if (entry.disabled === true) return;
                entry.run();
                if (entry.stays !== true) root.current?.hidePopover();
              }}
            >
              {entry.label}
            </button>
          ),
      )}
    </div>
  );
}
