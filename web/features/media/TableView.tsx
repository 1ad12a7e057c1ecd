import { useVirtualizer } from '@tanstack/react-virtual';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { formatCount } from '#web/lib/formatNumber.ts';
import { copyWholeCells } from './copyWholeCells.ts';
import { shownCell } from './shownCell.ts';
import { cellText } from './tableData.ts';
import type { TableSource } from './tableMessages.ts';
import { useColumnWidths } from './useColumnWidths.ts';
import { type ShownTable, useTable } from './useTable.ts';

const ROW_HEIGHT = 28;
const MOST_HEIGHT = 420;
/** Of both sides of a cell. */
const PADDING = 20;

export interface TableViewProps {
  /** One table, or two to be joined. */
  sources: readonly TableSource[];
  /** The column by which two are joined. */
  joinBy?: string | null;
  label: string;
}

/** A logged table: only the rows in sight are drawn; a click on a column's name sorts by it. */
export function TableView({ sources, joinBy = null, label }: TableViewProps) {
  const [column, setColumn] = useState<number | null>(null);
  const [descending, setDescending] = useState(false);
  const [text, setText] = useState('');
  const filter = useDeferredValue(text);
  const order = useMemo(() => ({ column, descending, filter }), [column, descending, filter]);
  const { table, error } = useTable(sources, joinBy, order);
  if (error !== null) return <p className="danger-text">{error}</p>;
  if (table === null) return <p className="empty">Loading …</p>;
  const onSort = (index: number) => {
    setDescending(column === index ? !descending : false);
    setColumn(index);
  };
  return (
    <div className="stack">
      <div className="row">
        <input
          className="input"
          type="search"
          aria-label={`Find rows of ${label}`}
          placeholder={`Words, or ${table.columns.at(-1) ?? 'column'} > 0.5`}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <span className="muted" role="status">
          {table.count === table.total ? '' : `${formatCount(table.count)} of `}
          {formatCount(table.total)} rows
        </span>
      </div>
      <Rows table={table} label={label} sorted={{ column, descending }} onSort={onSort} />
    </div>
  );
}

interface RowsProps {
  table: ShownTable;
  label: string;
  sorted: { column: number | null; descending: boolean };
  onSort(column: number): void;
}

function Rows({ table, label, sorted, onSort }: RowsProps) {
  const scroller = useRef<HTMLElement>(null);
  const virtualizer = useVirtualizer({
    count: table.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
  });
  const items = virtualizer.getVirtualItems();
  const { want } = table;
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  useEffect(() => {
    if (table.count === 0) return;
    want(first);
    want(last);
  }, [want, first, last, table.count]);
  const widths = useColumnWidths(table, [first, last]);
  const height = Math.min(MOST_HEIGHT, (table.count + 1) * ROW_HEIGHT + 16);
  return (
    <section
      className="media-rows panel"
      ref={scroller}
      style={{ height }}
      aria-label={`Rows of ${label}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
    >
      <table
        className="table"
        style={{ width: `calc(${sum(widths)}ch + ${PADDING * widths.length}px)` }}
        aria-rowcount={table.count + 1}
        onCopy={copyWholeCells}
      >
        <colgroup>
          {table.columns.map((name, index) => (
            <col key={name} style={{ width: `calc(${widths[index]}ch + ${PADDING}px)` }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {table.columns.map((name, index) => (
              <th
                key={name}
                scope="col"
                title={name}
                className={table.numeric[index] ? 'number' : ''}
                aria-sort={sorted.column !== index ? 'none' : sorted.descending ? 'descending' : 'ascending'}
              >
                <button type="button" className="media-sort" onClick={() => onSort(index)}>
                  {name}
                  {sorted.column === index && <span aria-hidden="true">{sorted.descending ? ' ▼' : ' ▲'}</span>}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap height={items[0]?.start ?? 0} />
          {items.map(({ index, key }) => (
            <tr key={key} aria-rowindex={index + 2} style={{ height: ROW_HEIGHT }}>
              {table.columns.map((name, column) => {
                const cell = table.row(index)?.[column] ?? null;
                return (
                  <td key={name} className={table.numeric[column] ? 'number' : ''} title={cellText(cell)}>
                    {shownCell(cell)}
                  </td>
                );
              })}
            </tr>
          ))}
          <Gap height={virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)} />
        </tbody>
      </table>
    </section>
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** The height of rows that are not drawn. */
function Gap({ height }: { height: number }) {
  return height <= 0 ? null : <tr className="media-gap" style={{ height }} />;
}
