import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type FocusEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type CurveMarks, type ActOnCurve, useLitRows } from './curveMarks.ts';
import type { Store } from '#web/lib/store.ts';
import type { RunRow } from '#web/api/useRuns.ts';
import { useStore } from '#web/api/useStore.ts';
import { density } from '#web/components/density.ts';
import type { ColumnLayout } from './columnLayout.ts';
import { drawnAhead } from './drawnAhead.ts';
import { LEADING, RunTableRow } from './RunTableRow.tsx';
import { RunTableHead } from './RunTableHead.tsx';
import { useColumnLayout } from './useColumnLayout.ts';
import { useColumnWindow } from './useColumnWindow.ts';
import type { RowSelection } from './useRowSelection.ts';
import { useRowEditing } from './useRowEditing.ts';
import { useRowKeys } from './useRowKeys.ts';
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
  selection: RowSelection;
  /** Compares the runs that are selected. */
  onCompare(): void;
  /** Asks for the next page; null when all are here, or one is on its way. */
  onMore: (() => void) | null;
}

const ROW_HEIGHTS = { comfortable: 30, compact: 24 };
const OVERSCAN = { ahead: 6, behind: 2 };
/** The next page is asked for this many rows before the end. */
const AHEAD = 30;
const SELECT_WIDTH = 34;
const NUMBER_WIDTH = 66;
const LEAD = SELECT_WIDTH + NUMBER_WIDTH;

/** The table of runs: rows and columns drawn only where they are seen, order and pages from the server. */
export function RunsTable(props: RunsTableProps) {
  const { runs, totalCount, selection, onMore } = props;
  const scroller = useRef<HTMLElement>(null);
  const { layout, onResize } = useColumnLayout(props.layout, props.onLayout);
  const scroll = useSharedScroll();
  const columnWindow = useColumnWindow(scroller, layout, { lead: LEAD, scroll });
  const { pinned, shown, first, widthOf } = columnWindow;
  const rowDensity = useStore(density);
  const rowHeight = ROW_HEIGHTS[rowDensity];
  const virtualizer = useVirtualizer({
    count: runs.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    rangeExtractor: useState(() => drawnAhead(OVERSCAN))[0],
    // another function would have all rows measured anew
    getItemKey: useCallback((index: number) => runs[index]?.id ?? index, [runs]),
    ...scroll,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights are kept until they are asked for anew
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);
  const rows = virtualizer.getVirtualItems();
  const last = rows.at(-1)?.index ?? -1;
  useEffect(() => {
    if (onMore !== null && last >= runs.length - AHEAD) onMore();
  }, [last, runs.length, onMore]);
  const editing = useRowEditing();
  const onKeyDown = useRowKeys(runs.length, {
    scrollTo: (index) => virtualizer.scrollToIndex(index),
    onEdit: editing.begin,
    onCompare: props.onCompare,
  });
  const drawn = useMemo(() => [...pinned, ...shown], [pinned, shown]);
  const cells = useTableCells({
    ...{ runs, inTrash: props.inTrash, eager: props.metrics, columns: layout.columns, drawn, shaded: layout.shaded },
    rows: [rows[0]?.index ?? 0, last + 1],
  });

  const [visited, setVisited] = useState<string | null>(null);
  const isVisitedDrawn = rows.some(({ key }) => key === visited);
  const firstInSight = rows.find(({ start }) => start >= (virtualizer.scrollOffset ?? 0))?.key;
  const onFocus = useCallback((event: FocusEvent<HTMLElement>) => {
    setVisited(event.target.closest('tr')?.dataset.run ?? null);
  }, []);
  const litRows = useLitRows(scroller, props.lit, props.marks);
  const before = rows[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (rows.at(-1)?.end ?? 0);
  return (
    <section
      className="runs-scroll panel"
      ref={scroller}
      aria-label="Runs table"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      data-density={rowDensity}
    >
      <table
        className="table runs-table"
        style={{ minWidth: columnWindow.total, ...pinOffsets(pinned, widthOf) }}
        aria-rowcount={totalCount + 1}
        aria-colcount={LEADING + layout.columns.length}
      >
        <colgroup>
          <col style={{ width: SELECT_WIDTH }} />
          <col style={{ width: NUMBER_WIDTH }} />
          {pinned.map((column) => (
            <col key={column} style={{ width: widthOf(column) }} />
          ))}
          <col style={{ width: columnWindow.before }} />
          {shown.map((column) => (
            <col key={column} style={{ width: widthOf(column) }} />
          ))}
          <col />
        </colgroup>
        <RunTableHead
          {...{ layout, columnWindow, scroller, selection, onResize }}
          runs={runs}
          numeric={cells.numeric}
          sort={props}
          onLayout={props.onLayout}
        />
        <tbody onKeyDown={onKeyDown} onFocus={onFocus} {...litRows}>
          {before > 0 && <Spacer height={before} />}
          {rows.map(({ index, key }) => {
            const run = runs[index];
            if (run === undefined) return null;
            return (
              <RunTableRow
                key={key}
                run={run}
                mark={props.marks.get(run.id)}
                onCurve={props.onCurve}
                editing={editing.current?.runId === run.id ? editing.current.field : null}
                onEdit={editing.begin}
                selected={selection.selected.has(run.id)}
                reachable={key === (isVisitedDrawn ? visited : firstInSight)}
                onToggle={selection.toggle}
                index={index}
                pinned={pinned}
                shown={shown}
                first={first}
                later={cells.metrics.get(run.id)}
                curves={cells.curves.get(run.id)}
                scales={cells.scales}
                decimalsOf={cells.decimalsOf}
                numeric={cells.numeric}
              />
            );
          })}
          {after > 0 && <Spacer height={after} />}
        </tbody>
      </table>
    </section>
  );
}

/** How far from the left each pinned column stands, as variables that its cells read. */
function pinOffsets(pinned: readonly string[], widthOf: (column: string) => number): CSSProperties {
  let left = LEAD;
  const offsets: Record<string, string> = {};
  pinned.forEach((column, index) => {
    offsets[`--pin-${index}`] = `${left}px`;
    left += widthOf(column);
  });
  return offsets;
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
