import { FloatingMenu, type MenuEntry } from '#web/components/FloatingMenu.tsx';
import { UNSORTABLE } from './columnChoice.ts';
import { groupFieldOf } from './cellConditions.ts';
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
  /** Groups the runs by a field. */
  onGroup(field: string): void;
  onClose(): void;
}

const WIDTH_STEP = 40;

/** What can be done with a column. */
export function ColumnMenu({ column, anchor, layout, sort, widthOf, onLayout, onGroup, onClose }: ColumnMenuProps) {
  const place = layout.columns.indexOf(column);
  const isPinned = place < layout.pinned;
  const isShaded = layout.shaded.has(column);
  const sortable = !UNSORTABLE.has(column) && !column.startsWith('curve.');
  const field = groupFieldOf(column);
  const resized = (width: number | null) => onLayout(resizeColumn(layout, column, width));
  const entries: (MenuEntry | null)[] = [
    sortable ? { label: 'Sort ascending', run: () => sort.onSort(column, 'ASC') } : null,
    sortable ? { label: 'Sort descending', run: () => sort.onSort(column, 'DESC') } : null,
    field === null ? null : { label: 'Group by this', run: () => onGroup(field) },
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
  const box = anchor.getBoundingClientRect();
  return (
    <FloatingMenu
      label={`Column ${columnTitle(column)}`}
      at={{ x: box.left, y: box.bottom + 2 }}
      entries={entries.filter((entry) => entry !== null)}
      from={anchor}
      onClose={onClose}
    />
  );
}
