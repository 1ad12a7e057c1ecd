import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useMemo, useState } from 'react';
import { drawnAhead } from './drawnAhead.ts';
import { columnWidth, narrowWidth } from './columnWidth.ts';
import type { ColumnLayout } from './columnLayout.ts';
import type { SharedScroll } from './useSharedScroll.ts';

export interface ColumnWindow {
  pinned: readonly string[];
  /** Of the columns that scroll, those in sight, with some on both sides. */
  shown: readonly string[];
  /** The place of the first of `shown` among all columns. */
  first: number;
  /** Pixels of columns before those that are shown, and of all. */
  before: number;
  total: number;
  widthOf(column: string): number;
  scrollTo(column: string): void;
}

const OVERSCAN = { ahead: 2, behind: 1 };

export interface ColumnWindowOptions {
  /** Pixels of what stands before all columns. */
  lead: number;
  /** Whether the window is a phone's. */
  narrow: boolean;
  scroll: SharedScroll;
}

/** Which columns are drawn: the pinned ones and those in sight, of however many. */
export function useColumnWindow(
  scroller: RefObject<HTMLElement | null>,
  layout: ColumnLayout,
  { lead, narrow, scroll }: ColumnWindowOptions,
): ColumnWindow {
  const { columns, pinned: pinnedCount, widths } = layout;
  const widthOf = useMemo(
    () => (column: string) => widths.get(column) ?? (narrow ? narrowWidth(column, lead) : columnWidth(column)),
    [widths, narrow, lead],
  );
  const pinned = useMemo(() => columns.slice(0, pinnedCount), [columns, pinnedCount]);
  const free = useMemo(() => columns.slice(pinnedCount), [columns, pinnedCount]);
  const margin = pinned.reduce((sum, column) => sum + widthOf(column), lead);
  const virtualizer = useVirtualizer({
    horizontal: true,
    count: free.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => widthOf(free[index]!),
    rangeExtractor: useState(() => drawnAhead(OVERSCAN))[0],
    scrollMargin: margin,
    scrollPaddingStart: margin,
    ...scroll,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: sizes are kept until they are asked for anew
  useEffect(() => virtualizer.measure(), [virtualizer, widthOf, free]);
  const items = virtualizer.getVirtualItems();
  const from = items[0]?.index ?? 0;
  const to = (items.at(-1)?.index ?? -1) + 1;
  const shown = useMemo(() => free.slice(from, to), [free, from, to]);
  return {
    pinned,
    shown,
    first: pinnedCount + from,
    before: Math.max(0, (items[0]?.start ?? margin) - margin),
    total: margin + virtualizer.getTotalSize(),
    widthOf,
    scrollTo: (column) => {
      const index = free.indexOf(column);
      if (index !== -1) virtualizer.scrollToIndex(index);
    },
  };
}
