import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useMemo, useState } from 'react';
import { drawnAhead } from './drawnAhead.ts';
import { metricOfColumn, metricOfCurve, textOfColumn } from '#web/lib/runColumn.ts';
import { isRunField, type RunField } from './columnChoice.ts';
import type { ColumnLayout } from './columnLayout.ts';
import type { SharedScroll } from './useSharedScroll.ts';

const WIDTHS: Record<RunField, number> = {
  name: 260,
  state: 128,
  progress: 130,
  kind: 110,
  dataset: 176,
  headline: 230,
  seed: 62,
  duration: 94,
  created: 100,
  started: 100,
  ended: 100,
  project: 120,
  user: 130,
  tags: 170,
  notes: 240,
  configuration: 118,
  attempt: 84,
  priority: 84,
};

/** Of the name on a phone with all that stands before it: name, state and the first metric are in sight together. */
const NARROW_NAME_END = 230;
/** Its sign alone: the word is told to those who listen. */
const NARROW_STATE = 52;
const NARROW_METRIC = 88;
/** No other column is wider on a phone unless somebody made it so. */
const NARROW_WIDEST = 130;

/**
 * A column's width on a phone.
 * @param lead Pixels of what stands before all columns.
 */
function narrowWidth(column: string, lead: number): number {
  if (column === 'name') return NARROW_NAME_END - lead;
  if (column === 'state') return NARROW_STATE;
  if (column === 'headline' || metricOfColumn(column) !== null) return NARROW_METRIC;
  return Math.min(columnWidth(column), NARROW_WIDEST);
}

/** A column's width in pixels. Widths are fixed: rows come and go while one scrolls, and columns must not move. */
function columnWidth(column: string): number {
  if (isRunField(column)) return WIDTHS[column];
  if (textOfColumn(column) !== null) return 200;
  return metricOfColumn(column) === null && metricOfCurve(column) === null ? 120 : 140;
}

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
