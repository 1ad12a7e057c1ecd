import { useVirtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, type RefObject, useCallback, useEffect, useState } from 'react';
import type { RunRow } from './useRuns.ts';
import { useStore } from '#web/api/useStore.ts';
import { density } from '#web/components/density.ts';
import { drawnAhead } from './drawnAhead.ts';
import type { useSharedScroll } from './useSharedScroll.ts';

const ROW_HEIGHTS = { comfortable: 30, compact: 24 };
const OVERSCAN = { ahead: 6, behind: 2 };
/** The next page is asked for this many rows before the end. */
const AHEAD = 30;

export interface RunRowsOptions {
  scroll: ReturnType<typeof useSharedScroll>;
  /** Asks for the next page; null when all are here, or one is on its way. */
  onMore: (() => void) | null;
}

/** The rows of the table that are drawn, the room before and after them, and which of them is reached by Tab. */
export function useRunRows(
  runs: readonly RunRow[],
  scroller: RefObject<HTMLElement | null>,
  { scroll, onMore }: RunRowsOptions,
) {
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

  const [visited, setVisited] = useState<string | null>(null);
  const isVisitedDrawn = rows.some(({ key }) => key === visited);
  const firstInSight = rows.find(({ start }) => start >= (virtualizer.scrollOffset ?? 0))?.key;
  const onFocus = useCallback((event: FocusEvent<HTMLElement>) => {
    setVisited(event.target.closest('tr')?.dataset.run ?? null);
  }, []);
  return {
    rows,
    density: rowDensity,
    range: [rows[0]?.index ?? 0, last + 1] as const,
    before: rows[0]?.start ?? 0,
    after: virtualizer.getTotalSize() - (rows.at(-1)?.end ?? 0),
    reachable: isVisitedDrawn ? visited : firstInSight,
    onFocus,
    scrollTo: (index: number) => virtualizer.scrollToIndex(index),
  };
}
