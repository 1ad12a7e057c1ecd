import {
  useMemo,
  useRef,
  useEffect,
  useState,
  type FocusEventHandler,
  type KeyboardEventHandler,
  type MouseEventHandler,
  type KeyboardEvent,
  useCallback,
} from 'react';
import { type CurveMarks, type ActOnCurve, useLitRows } from './curveMarks.ts';
import type { Store } from '#web/lib/store.ts';
import type { RunRow } from './useRuns.ts';
import { useNarrow } from '#web/components/useNarrow.ts';
import { type ColumnLayout, resizeColumn } from './columnLayout.ts';
import { type CellActions, useCellMenu } from './CellMenu.tsx';
import { LEADING, RunTableRow } from './RunTableRow.tsx';
import { leadWidth, pinOffsets, RunTableColumns } from './RunTableColumns.tsx';
import { RunTableHead } from './RunTableHead.tsx';
import { type ColumnWindow, useColumnWindow } from './useColumnWindow.ts';
import { type RowEditing, useRowEditing, type BeginEditing, type EditedField } from './useRowEditing.ts';
import type { RowSelection } from './useRowSelection.ts';
import { useRunRows } from './useRunRows.ts';
import { type TableCells, useTableCells } from './useTableCells.ts';
import { useSharedScroll } from './useSharedScroll.ts';
import './runsTable.css';

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: 15, PageUp: -15 };

/** Keys that change a run where it stands. */
const EDITS: Record<string, EditedField> = { e: 'name', t: 'tags', n: 'notes' };

interface RowKeyActions {
  scrollTo(index: number): void;
  onEdit: BeginEditing | null;
  /** Compares the runs that are selected. */
  onCompare(): void;
}

/**
 * Keys inside the rows: arrows (or j and k) go to the same place of the next row, Enter on a box opens its run, e edits its
 * name, t its tags, n its notes, h hides its curve or shows it again, o gives it another color, c compares those that are selected.
 */
function useRowKeys(rowCount: number, { scrollTo, onEdit, onCompare }: RowKeyActions) {
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

interface RunTableRowsProps {
  runs: readonly RunRow[];
  drawn: ReturnType<typeof useRunRows>;
  columnWindow: ColumnWindow;
  cells: TableCells;
  editing: RowEditing;
  selection: RowSelection;
  marks: CurveMarks;
  onCurve: ActOnCurve;
  /** Numbers of the runs that stand above all others. */
  pins: readonly number[];
  onKeyDown: KeyboardEventHandler<HTMLElement>;
  onFocus: FocusEventHandler<HTMLElement>;
  onContextMenu: MouseEventHandler<HTMLElement>;
  /** What tells which curve the pointer is at. */
  litRows: ReturnType<typeof useLitRows>;
}

/** The rows that are drawn, and the room of the others. */
function RunTableRows(props: RunTableRowsProps) {
  const { runs, drawn, cells, editing, selection, marks } = props;
  const { pinned, shown, first } = props.columnWindow;
  return (
    <tbody onKeyDown={props.onKeyDown} onFocus={props.onFocus} onContextMenu={props.onContextMenu} {...props.litRows}>
      {drawn.before > 0 && <Spacer height={drawn.before} />}
      {drawn.rows.map(({ index, key }) => {
        const run = runs[index];
        if (run === undefined) return null;
        return (
          <RunTableRow
            key={key}
            run={run}
            mark={marks.get(run.id)}
            onCurve={props.onCurve}
            editing={editing.current?.runId === run.id ? editing.current.field : null}
            onEdit={editing.begin}
            isPinned={props.pins.includes(run.number)}
            selected={selection.selected.has(run.id)}
            reachable={key === drawn.reachable}
            onToggle={selection.toggle}
            index={index}
            pinned={pinned}
            shown={shown}
            first={first}
            later={cells.metrics.get(run.id)}
            curves={cells.curves.get(run.id)}
            scales={cells.scales}
            decimalsOf={cells.decimalsOf}
            digitsOf={cells.digitsOf}
            numeric={cells.numeric}
          />
        );
      })}
      {drawn.after > 0 && <Spacer height={drawn.after} />}
    </tbody>
  );
}

/** Stands for rows that are not drawn. */
function Spacer({ height }: { height: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row is not focusable
    <tr aria-hidden="true" className="runs-spacer">
      <td style={{ height }} />
    </tr>
  );
}

/** The layout with the width that a column has while its edge is dragged: the address hears of it when it is let go. */
function useColumnLayout(layout: ColumnLayout, onLayout: (layout: ColumnLayout) => void) {
  const [dragged, setDragged] = useState<{ column: string; width: number } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever the address says ends the drag
  useEffect(() => setDragged(null), [layout]);
  return {
    layout: useMemo(
      () => (dragged === null ? layout : resizeColumn(layout, dragged.column, dragged.width)),
      [layout, dragged],
    ),
    onResize(column: string, width: number | null, done: boolean) {
      if (done || width === null) onLayout(resizeColumn(layout, column, width));
      else setDragged({ column, width });
    },
  };
}

export interface RunsTableProps {
  runs: RunRow[];
  /** Metrics that come with the runs. */
  metrics: readonly string[];
  inTrash: boolean;
  /** The curves that runs have beside the table. */
  marks: CurveMarks;
  onCurve: ActOnCurve;
  lit: Store<string | null>;
  layout: ColumnLayout;
  onLayout(layout: ColumnLayout): void;
  totalCount: number;
  order: string;
  direction: 'ASC' | 'DESC';
  onSort(column: string, direction: 'ASC' | 'DESC'): void;
  cellActions: CellActions;
  selection: RowSelection;
  /** Compares the runs that are selected. */
  onCompare(): void;
  /** Asks for the next page; null when all are here, or one is on its way. */
  onMore: (() => void) | null;
}

/** The table of runs: rows and columns drawn only where they are seen, order and pages from the server. */
export function RunsTable(props: RunsTableProps) {
  const { runs, totalCount, selection, onMore } = props;
  const scroller = useRef<HTMLElement>(null);
  const { layout, onResize } = useColumnLayout(props.layout, props.onLayout);
  const scroll = useSharedScroll();
  const narrow = useNarrow();
  const highest = useMemo(() => runs.reduce((found, { number }) => Math.max(found, number), 0), [runs]);
  const lead = leadWidth({ narrow, hasMarks: props.marks.size > 0, highest });
  const columnWindow = useColumnWindow(scroller, layout, { lead, narrow, scroll });
  const { pinned, shown } = columnWindow;
  const drawnRows = useRunRows(runs, scroller, { scroll, onMore });
  const editing = useRowEditing();
  const onKeyDown = useRowKeys(runs.length, {
    scrollTo: drawnRows.scrollTo,
    onEdit: editing.begin,
    onCompare: props.onCompare,
  });
  const drawn = useMemo(() => [...pinned, ...shown], [pinned, shown]);
  const cells = useTableCells({
    ...{ runs, inTrash: props.inTrash, eager: props.metrics, columns: layout.columns, drawn, shaded: layout.shaded },
    rows: drawnRows.range,
  });
  const cellMenu = useCellMenu(runs, layout.columns, cells, props.cellActions);
  const litRows = useLitRows(scroller, props.lit, props.marks);
  return (
    <section
      className="runs-scroll panel"
      ref={scroller}
      aria-label="Runs table"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      data-density={drawnRows.density}
    >
      <table
        className="table runs-table"
        style={{ minWidth: columnWindow.total, ...pinOffsets({ ...columnWindow, lead }) }}
        aria-rowcount={totalCount + 1}
        aria-colcount={LEADING + layout.columns.length}
      >
        <RunTableColumns {...columnWindow} lead={lead} />
        <RunTableHead
          {...{ layout, columnWindow, scroller, selection, onResize }}
          runs={runs}
          numeric={cells.numeric}
          sort={props}
          onLayout={props.onLayout}
          onGroup={props.cellActions.onGroup}
        />
        <RunTableRows
          {...{ runs, columnWindow, cells, editing, selection, onKeyDown, litRows }}
          drawn={drawnRows}
          onFocus={drawnRows.onFocus}
          onContextMenu={cellMenu.onContextMenu}
          marks={props.marks}
          onCurve={props.onCurve}
          pins={props.cellActions.pins}
        />
      </table>
      {cellMenu.menu}
    </section>
  );
}
