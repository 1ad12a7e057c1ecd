import { type KeyboardEvent, type RefObject, useMemo, useState } from 'react';
import type { RunRow } from './useRuns.ts';
import { Announcer } from '#web/components/Announcer.tsx';
import { ColumnHead } from './ColumnHead.tsx';
import { pinStyle } from './cellStyle.ts';
import { type ColumnLayout, moveColumn } from './columnLayout.ts';
import { ColumnMenu } from './ColumnMenu.tsx';
import { columnTitle } from './columnTitle.ts';
import { isNumberColumn } from './RunCell.tsx';
import { LEADING } from './RunTableRow.tsx';
import { SortableHead, type Sort } from './SortableHead.tsx';
import { useColumnDrag } from './useColumnDrag.ts';
import type { ColumnWindow } from './useColumnWindow.ts';
import type { RowSelection } from './useRowSelection.ts';

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
