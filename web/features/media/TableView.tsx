import { useVirtualizer } from '@tanstack/react-virtual';
import { useDeferredValue, useEffect, useMemo, useRef, useState, useLayoutEffect, useCallback } from 'react';
import { formatCount } from '#web/lib/formatNumber.ts';
import { copyWholeCells } from './copyWholeCells.ts';
import { shownCell } from './shownCell.ts';
import { cellText, type Cell, type TableOrder } from './tableData.ts';
import type { TableSource, TableAnswer, TableRequest } from './tableMessages.ts';

/** Rows that are fetched from the thread at once. */
const BLOCK = 200;

interface ShownTable {
  columns: string[];
  /** Which columns hold numbers alone. */
  numeric: boolean[];
  /** Rows of the whole table, and those that the filter lets through. */
  total: number;
  count: number;
  /** A row in the order shown; null until it has come. */
  row(index: number): Cell[] | null;
  /** Has the rows near an index fetched. */
  want(index: number): void;
}

type Wish = TableRequest extends infer One ? (One extends { id: number } ? Omit<One, 'id'> : never) : never;

/** A table in a thread of its own: read once, ordered and filtered as asked. Joined by `key` where there are two. */
function useTable(
  sources: readonly TableSource[],
  key: string | null,
  order: TableOrder,
): { table: ShownTable | null; error: string | null } {
  const ask = useRef<((wish: Wish, take: (answer: TableAnswer) => void) => void) | null>(null);
  const [loaded, setLoaded] = useState<{ columns: string[]; numeric: boolean[]; total: number } | null>(null);
  const [shown, setShown] = useState<{ count: number; blocks: Map<number, Cell[][] | null> }>({
    count: 0,
    blocks: new Map(),
  });
  const [error, setError] = useState<string | null>(null);
  const [, redraw] = useState(0);
  const wanted = JSON.stringify([sources, key]);

  useEffect(() => {
    const thread = new Worker(new URL('./tableThread.ts', import.meta.url), { type: 'module' });
    const waiting = new Map<number, (answer: TableAnswer) => void>();
    let last = 0;
    thread.onmessage = ({ data }: MessageEvent<TableAnswer>) => {
      waiting.get(data.id)?.(data);
      waiting.delete(data.id);
    };
    thread.onerror = () => setError('The table cannot be shown: its thread does not start.');
    ask.current = (wish, take) => {
      last += 1;
      waiting.set(last, (told) => (told.type === 'failed' ? setError(told.message) : take(told)));
      thread.postMessage({ ...wish, id: last });
    };
    setLoaded(null);
    setError(null);
    const [from, by] = JSON.parse(wanted) as [TableSource[], string | null];
    ask.current({ type: 'load', sources: from, key: by }, (told) => {
      if (told.type !== 'loaded') return;
      setLoaded({ columns: told.columns, numeric: told.numeric, total: told.rowCount });
    });
    return () => thread.terminate();
  }, [wanted]);

  useEffect(() => {
    if (loaded === null) return;
    ask.current?.({ type: 'order', order }, (told) => {
      if (told.type === 'ordered') setShown({ count: told.rowCount, blocks: new Map() });
    });
  }, [loaded, order]);

  const want = useCallback(
    (index: number) => {
      const block = Math.floor(index / BLOCK);
      if (shown.blocks.has(block)) return;
      shown.blocks.set(block, null);
      ask.current?.({ type: 'rows', from: block * BLOCK, to: (block + 1) * BLOCK }, (told) => {
        if (told.type !== 'rows') return;
        shown.blocks.set(block, told.rows);
        redraw((count) => count + 1);
      });
    },
    [shown],
  );

  if (loaded === null) return { table: null, error };
  const row = (index: number) => shown.blocks.get(Math.floor(index / BLOCK))?.[index % BLOCK] ?? null;
  return { table: { ...loaded, count: shown.count, row, want }, error };
}

/** Widths in characters. */
const LEAST = 4;
const MOST = 48;
/** Room for the mark of the order beside a column's name. */
const SORT_MARK = 2;

/**
 * How wide each column of a table is, in characters: as wide as what was seen of it. Columns grow with the rows that come into
 * sight and never shrink, so that nothing jumps to and fro.
 * @param range The first and the last row in sight.
 */
function useColumnWidths(table: ShownTable, [first, last]: readonly [number, number]): readonly number[] {
  const [seen, setSeen] = useState<readonly number[]>([]);
  useLayoutEffect(() => {
    const rows = Array.from({ length: last - first + 1 }, (_, index) => table.row(first + index) ?? []);
    const widths = table.columns.map((name, column) =>
      rows.reduce(
        (most, row) => Math.max(most, Math.min(MOST, shownCell(row[column] ?? null).length)),
        Math.max(LEAST, Math.min(MOST, name.length + SORT_MARK), seen[column] ?? 0),
      ),
    );
    if (widths.length !== seen.length || widths.some((width, column) => width !== seen[column])) setSeen(widths);
  });
  return table.columns.map((name, column) => seen[column] ?? Math.max(LEAST, Math.min(MOST, name.length + SORT_MARK)));
}

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
