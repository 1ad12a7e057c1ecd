import { useMemo, useRef } from 'react';
import { type CurveMarks, type ActOnCurve, useLitRows } from './curveMarks.ts';
import type { Store } from '#web/lib/store.ts';
import type { RunRow } from './useRuns.ts';
import { useNarrow } from '#web/components/useNarrow.ts';
import type { ColumnLayout } from './columnLayout.ts';
import { type CellActions, useCellMenu } from './CellMenu.tsx';
import { LEADING } from './RunTableRow.tsx';
import { leadWidth, pinOffsets, RunTableColumns } from './RunTableColumns.tsx';
import { RunTableHead } from './RunTableHead.tsx';
import { RunTableRows } from './RunTableRows.tsx';
import { useColumnLayout } from './useColumnLayout.ts';
import { useColumnWindow } from './useColumnWindow.ts';
import type { RowSelection } from './useRowSelection.ts';
import { useRowEditing } from './useRowEditing.ts';
import { useRowKeys } from './useRowKeys.ts';
import { useRunRows } from './useRunRows.ts';
import { useSharedScroll } from './useSharedScroll.ts';
import { useTableCells } from './useTableCells.ts';
import './runsTable.css';

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
