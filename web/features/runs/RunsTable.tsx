import { createColumnHelper, tableFeatures, useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import { columnWidth } from './columnWidth.ts';
import type { RunRow } from '#web/api/useRuns.ts';
import { RunTableRow } from './RunTableRow.tsx';
import { SortableHead } from './SortableHead.tsx';
import { isNumberColumn } from './RunCell.tsx';
import type { RowSelection } from './useRowSelection.ts';
import { useRowKeys } from './useRowKeys.ts';
import './runsTable.css';

export interface RunsTableProps {
  runs: RunRow[];
  columns: readonly string[];
  totalCount: number;
  order: string;
  direction: 'ASC' | 'DESC';
  onSort(column: string, direction: 'ASC' | 'DESC'): void;
  selection: RowSelection;
  /** Asks for the next page; null when all are here, or one is on its way. */
  onMore: (() => void) | null;
}

const ROW_HEIGHT = 30;
const OVERSCAN = 15;
/** The next page is asked for this many rows before the end. */
const AHEAD = 30;
const SELECT_WIDTH = 34;
const NUMBER_WIDTH = 66;

const features = tableFeatures({});
const helper = createColumnHelper<typeof features, RunRow>();

/** The table of runs: rows drawn only where they are seen, order and pages from the server. */
export function RunsTable(props: RunsTableProps) {
  const { runs, columns, totalCount, selection, onMore } = props;
  const scroller = useRef<HTMLElement>(null);
  const definitions = useMemo(() => helper.columns(columns.map((id) => helper.display({ id }))), [columns]);
  const table = useTable({ features, columns: definitions, data: runs, getRowId: (run) => run.id });
  const rows = table.getRowModel().rows;
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    getItemKey: (index) => rows[index]?.id ?? index,
  });
  const shown = virtualizer.getVirtualItems();
  const last = shown.at(-1)?.index ?? -1;
  useEffect(() => {
    if (onMore !== null && last >= rows.length - AHEAD) onMore();
  }, [last, rows.length, onMore]);
  const onKeyDown = useRowKeys(rows.length, (index) => virtualizer.scrollToIndex(index));

  const runIds = useMemo(() => runs.map((run) => run.id), [runs]);
  const selectedHere = runIds.filter((id) => selection.selected.has(id)).length;
  const before = shown[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (shown.at(-1)?.end ?? 0);
  const width = columns.reduce((sum, column) => sum + columnWidth(column), SELECT_WIDTH + NUMBER_WIDTH);

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="runs-scroll panel" ref={scroller} aria-label="Runs table" tabIndex={0}>
      <table className="table runs-table" style={{ minWidth: width }} aria-rowcount={totalCount + 1}>
        <colgroup>
          <col style={{ width: SELECT_WIDTH }} />
          <col style={{ width: NUMBER_WIDTH }} />
          {columns.map((column) => (
            <col key={column} style={{ width: columnWidth(column) }} />
          ))}
          <col />
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" className="runs-select">
              <input
                type="checkbox"
                aria-label="Select all loaded runs"
                checked={selectedHere > 0 && selectedHere === runIds.length}
                ref={(box) => {
                  if (box !== null) box.indeterminate = selectedHere > 0 && selectedHere < runIds.length;
                }}
                onChange={() => selection.set(selectedHere === runIds.length ? [] : runIds)}
              />
            </th>
            <SortableHead column="number" title="#" sort={props} number />
            {table.getFlatHeaders().map((header) => (
              <SortableHead
                key={header.id}
                column={header.column.id}
                sort={props}
                number={isNumberColumn(header.column.id)}
              />
            ))}
            <td />
          </tr>
        </thead>
        <tbody onKeyDown={onKeyDown}>
          {before > 0 && <Spacer height={before} />}
          {shown.map(({ index, key }) => {
            const run = rows[index]?.original;
            if (run === undefined) return null;
            return (
              <RunTableRow
                key={key}
                run={run}
                selected={selection.selected.has(run.id)}
                onToggle={selection.toggle}
                index={index}
                columns={columns}
              />
            );
          })}
          {after > 0 && <Spacer height={after} />}
        </tbody>
      </table>
    </section>
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
