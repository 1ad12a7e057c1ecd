import { type KeyboardEvent, type RefObject, useMemo, useState, type PointerEvent, useRef } from 'react';
import type { RunRow } from './useRuns.ts';
import { Announcer } from '#web/components/Announcer.tsx';
import { ColumnHead } from './ColumnHead.tsx';
import { pinStyle } from './cellStyle.ts';
import { type ColumnLayout, moveColumn, hideColumn, pinColumn, resizeColumn, shadeColumn } from './columnLayout.ts';
import { FloatingMenu, type MenuEntry } from '#web/components/FloatingMenu.tsx';
import { UNSORTABLE } from './columnChoice.ts';
import { groupFieldOf } from './cellConditions.ts';
import { columnTitle } from './columnTitle.ts';
import { isNumberColumn } from './RunCell.tsx';
import { type Sort, SortableHead } from './SortableHead.tsx';
import { LEADING } from './RunTableRow.tsx';
import type { ColumnWindow } from './useColumnWindow.ts';
import type { RowSelection } from './useRowSelection.ts';

interface ColumnDrag {
  column: string;
  /** The column beside which it would be dropped, and on which side. */
  target: string;
  after: boolean;
}

/** Pixels after which a press is a drag. */
const THRESHOLD = 6;
/** So near to an edge the table scrolls along, so many pixels a frame. */
const EDGE = 48;
const EDGE_STEP = 14;

/** Dragging heads of columns with the mouse. @param onDrop Told the column and the one before which (or after which) it was dropped. */
function useColumnDrag(scroller: RefObject<HTMLElement | null>, onDrop: (drag: ColumnDrag) => void) {
  const [drag, setDrag] = useState<ColumnDrag | null>(null);
  /** A drag ends with a click, which is to sort nothing. */
  const wasDragged = useRef(false);

  const onPointerDown = (event: PointerEvent<HTMLElement>, column: string) => {
    wasDragged.current = false;
    // fingers scroll; they have the column's menu
    if (event.button !== 0 || event.pointerType === 'touch') return;
    const start = event.clientX;
    let x = start;
    let current: ColumnDrag | null = null;
    let frame = 0;
    const place = () => {
      current = placeAt(scroller.current, x, column);
      setDrag(current);
    };
    const scrollAlong = () => {
      const element = scroller.current;
      if (element === null) return;
      const { left, right } = element.getBoundingClientRect();
      const step = x > right - EDGE ? EDGE_STEP : x < left + EDGE ? -EDGE_STEP : 0;
      if (step !== 0) {
        element.scrollLeft += step;
        place();
      }
      frame = requestAnimationFrame(scrollAlong);
    };
    const onMove = (moved: globalThis.PointerEvent) => {
      x = moved.clientX;
      if (!wasDragged.current) {
        if (Math.abs(x - start) < THRESHOLD) return;
        wasDragged.current = true;
        frame = requestAnimationFrame(scrollAlong);
      }
      moved.preventDefault();
      place();
    };
    const end = (drop: boolean) => {
      cancelAnimationFrame(frame);
      window.removeEventListener('pointermove', onMove);
      window.removeEventListener('pointerup', onUp);
      window.removeEventListener('keydown', onKey);
      setDrag(null);
      if (drop && current !== null && current.target !== column) onDrop(current);
    };
    const onUp = () => end(true);
    const onKey = (pressed: globalThis.KeyboardEvent) => {
      if (pressed.key === 'Escape') end(false);
    };
    window.addEventListener('pointermove', onMove);
    window.addEventListener('pointerup', onUp);
    window.addEventListener('keydown', onKey);
  };
  return { drag, onPointerDown, wasDragged };
}

/** Beside which column something at `x` would be dropped. */
function placeAt(scroller: HTMLElement | null, x: number, column: string): ColumnDrag | null {
  // pinned heads lie over the others, so that they are looked at first
  const heads = [...(scroller?.querySelectorAll<HTMLElement>('th[data-column]') ?? [])];
  const boxes = heads.map((head) => ({ column: head.dataset.column!, box: head.getBoundingClientRect() }));
  const under = boxes.find(({ box }) => x >= box.left && x < box.right) ?? boxes.at(-1);
  if (under === undefined) return null;
  return { column, target: under.column, after: x > (under.box.left + under.box.right) / 2 };
}

interface ColumnMenuProps {
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
function ColumnMenu({ column, anchor, layout, sort, widthOf, onLayout, onGroup, onClose }: ColumnMenuProps) {
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

export interface RunTableHeadProps {
  runs: readonly RunRow[];
  /** Columns of parameters that hold numbers. */
  numeric: ReadonlySet<string>;
  layout: ColumnLayout;
  onLayout(layout: ColumnLayout): void;
  onGroup(field: string): void;
  onResize(column: string, width: number | null, done: boolean): void;
  columnWindow: ColumnWindow;
  scroller: RefObject<HTMLElement | null>;
  sort: Sort;
  selection: RowSelection;
}

/** The heads of the table: select all, sort, move, resize. Tab stops at the first of them, left and right lead to the others, down to the rows. */
export function RunTableHead(props: RunTableHeadProps) {
  const { runs, numeric, layout, onLayout, onResize, columnWindow, scroller, sort, selection } = props;
  const { pinned, shown, first, widthOf } = columnWindow;
  const [menu, setMenu] = useState<{ column: string; anchor: HTMLElement } | null>(null);
  const [said, setSaid] = useState('');
  const apply = (next: ColumnLayout, column: string) => {
    onLayout(next);
    setSaid(`${columnTitle(column)} is column ${next.columns.indexOf(column) + 1} of ${next.columns.length}`);
    columnWindow.scrollTo(column);
  };
  const { drag, onPointerDown, wasDragged } = useColumnDrag(scroller, ({ column, target, after }) => {
    const others = layout.columns.filter((one) => one !== column);
    apply(moveColumn(layout, column, others.indexOf(target) + (after ? 1 : 0)), column);
  });
  const head = (column: string, place: number, pin?: number) => (
    <ColumnHead
      key={column}
      {...{ column, sort, widthOf, onResize, onPointerDown, wasDragged }}
      {...(pin === undefined ? {} : { style: pinStyle(pin) })}
      place={LEADING + place + 1}
      isNumber={isNumberColumn(column) || numeric.has(column)}
      shaded={layout.shaded.has(column)}
      drop={drag === null || drag.target !== column || drag.column === column ? null : drag.after ? 'after' : 'before'}
      dragged={drag?.column === column}
      onMenu={(of, anchor) => setMenu({ column: of, anchor })}
      onMove={(moved, steps) => apply(moveColumn(layout, moved, layout.columns.indexOf(moved) + steps), moved)}
    />
  );
  const runIds = useMemo(() => runs.map((run) => run.id), [runs]);
  const selectedHere = useMemo(
    () => (selection.selected.size === 0 ? 0 : runIds.filter((id) => selection.selected.has(id)).length),
    [runIds, selection.selected],
  );
  return (
    <thead onKeyDown={goThroughHeads}>
      <tr aria-rowindex={1}>
        <th scope="col" className="runs-select" aria-colindex={1}>
          <input
            type="checkbox"
            aria-label="Select all loaded runs"
            checked={selectedHere > 0 && selectedHere === runIds.length}
            ref={(box) => {
              if (box !== null) box.indeterminate = selectedHere > 0 && selectedHere < runIds.length;
            }}
            onChange={() => selection.set(selectedHere === runIds.length ? [] : runIds)}
          />
          <Announcer text={said} />
          {menu !== null && layout.columns.includes(menu.column) && (
            <ColumnMenu
              {...menu}
              {...{ layout, sort, widthOf, onLayout }}
              onGroup={props.onGroup}
              onClose={() => setMenu(null)}
            />
          )}
        </th>
        <SortableHead column="number" title="#" sort={sort} number className="runs-number" />
        {pinned.map((column, place) => head(column, place, place))}
        <td className="runs-gap" />
        {shown.map((column, place) => head(column, first + place))}
        <td className="runs-gap" />
      </tr>
    </thead>
  );
}

/** Left and right go to the head beside, Home and End to the first and last that is drawn, down to the rows. */
function goThroughHeads(event: KeyboardEvent<HTMLElement>): void {
  if (event.defaultPrevented || event.altKey || event.shiftKey || event.ctrlKey || event.metaKey) return;
  if (event.target instanceof Element && event.target.closest('[role="menu"]') !== null) return;
  const head = event.currentTarget;
  const stops = [...head.querySelectorAll<HTMLElement>('.runs-sort, .runs-menu-button')];
  const at = stops.findIndex((stop) => stop.matches(':focus'));
  const wanted = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: stops.length - 1 }[event.key];
  if (event.key === 'ArrowDown') head.parentElement?.querySelector<HTMLElement>('tbody [tabindex="0"]')?.focus();
  else if (wanted !== undefined) stops[Math.max(0, wanted)]?.focus();
  else return;
  event.preventDefault();
}
