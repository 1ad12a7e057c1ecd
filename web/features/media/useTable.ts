import { useCallback, useEffect, useRef, useState } from 'react';
import type { Cell, TableOrder } from './tableData.ts';
import type { TableAnswer, TableRequest, TableSource } from './tableMessages.ts';

/** Rows that are fetched from the thread at once. */
const BLOCK = 200;

export interface ShownTable {
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
export function useTable(
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
