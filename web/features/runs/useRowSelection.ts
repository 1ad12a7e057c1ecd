import { useCallback, useRef, useState } from 'react';
import { selectRange } from '#web/lib/rangeSelection.ts';

export interface RowSelection {
  selected: ReadonlySet<string>;
  /** Changes a row, or with `range` all from the row changed last. */
  toggle(id: string, range: boolean): void;
  set(ids: Iterable<string>): void;
}

/** Selected runs, by id; they stay selected while other pages and changes come. */
export function useRowSelection(order: readonly string[]): RowSelection {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const anchor = useRef<string | null>(null);
  const toggle = useCallback(
    (id: string, range: boolean) => {
      const from = anchor.current;
      anchor.current = id;
      setSelected((before) => selectRange(before, { order, id, anchor: from, range }));
    },
    [order],
  );
  const set = useCallback((ids: Iterable<string>) => setSelected(new Set(ids)), []);
  return { selected, toggle, set };
}
