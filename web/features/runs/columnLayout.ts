import { readList, writeList } from '#web/lib/listInUrl.ts';

/** The columns of the table as they stand. */
export interface ColumnLayout {
  columns: readonly string[];
  /** Of the columns whose width somebody chose, in pixels. */
  widths: ReadonlyMap<string, number>;
  /** So many columns from the first stay in sight. */
  pinned: number;
  shaded: ReadonlySet<string>;
}

/** The layout as the address writes it. */
export type LayoutText = Readonly<Partial<Record<'columns' | 'pinned' | 'widths' | 'shaded', string | undefined>>>;

const NARROWEST = 40;
const WIDEST = 1_200;

/** The layout that the address or a view says; without a word the name alone is pinned, where it comes first. */
export function readLayout(look: LayoutText, columns: readonly string[]): ColumnLayout {
  const widths = new Map<string, number>();
  for (const entry of readList(look.widths ?? '')) {
    const colon = entry.lastIndexOf(':');
    const width = Math.round(Number(entry.slice(colon + 1)));
    if (colon > 0 && Number.isFinite(width)) widths.set(entry.slice(0, colon), clampWidth(width));
  }
  const pinned = look.pinned === undefined ? (columns[0] === 'name' ? 1 : 0) : Number(look.pinned);
  return {
    columns,
    widths,
    pinned: Number.isInteger(pinned) ? Math.min(Math.max(pinned, 0), columns.length) : 0,
    shaded: new Set(readList(look.shaded ?? '')),
  };
}

/** What changes in the address when the layout does. */
export function layoutChange(before: ColumnLayout, after: ColumnLayout): LayoutText {
  const columnsMoved = before.columns.join('\n') !== after.columns.join('\n');
  return {
    ...(columnsMoved ? { columns: writeList(after.columns) } : {}),
    // a column that comes first pins by itself, so that the number is said wherever the order is
    ...(columnsMoved || before.pinned !== after.pinned ? { pinned: String(after.pinned) } : {}),
    ...(before.widths === after.widths ? {} : { widths: writeWidths(after.widths) || undefined }),
    ...(before.shaded === after.shaded ? {} : { shaded: writeList([...after.shaded]) || undefined }),
  };
}

export function writeWidths(widths: ReadonlyMap<string, number>): string {
  return writeList([...widths].map(([column, width]) => `${column}:${width}`));
}

export function clampWidth(width: number): number {
  return Math.min(WIDEST, Math.max(NARROWEST, Math.round(width)));
}

/** Puts a column at a place among the others; one that comes to stand among pinned columns is pinned, one that leaves them not. */
export function moveColumn(layout: ColumnLayout, column: string, place: number): ColumnLayout {
  const from = layout.columns.indexOf(column);
  if (from === -1) return layout;
  const others = layout.columns.filter((one) => one !== column);
  const to = Math.min(Math.max(place, 0), others.length);
  const wasPinned = from < layout.pinned;
  const pinnedOthers = layout.pinned - (wasPinned ? 1 : 0);
  const isPinned = wasPinned ? to <= pinnedOthers : to < pinnedOthers;
  return {
    ...layout,
    columns: [...others.slice(0, to), column, ...others.slice(to)],
    pinned: pinnedOthers + (isPinned ? 1 : 0),
  };
}

/** Pins a column behind those that are pinned, or takes it back to the first place behind them. */
export function pinColumn(layout: ColumnLayout, column: string, isPinned: boolean): ColumnLayout {
  const from = layout.columns.indexOf(column);
  if (from === -1 || from < layout.pinned === isPinned) return layout;
  const others = layout.columns.filter((one) => one !== column);
  const place = isPinned ? layout.pinned : layout.pinned - 1;
  return {
    ...layout,
    columns: [...others.slice(0, place), column, ...others.slice(place)],
    pinned: layout.pinned + (isPinned ? 1 : -1),
  };
}

export function hideColumn(layout: ColumnLayout, column: string): ColumnLayout {
  const from = layout.columns.indexOf(column);
  if (from === -1) return layout;
  return {
    ...layout,
    columns: layout.columns.filter((one) => one !== column),
    pinned: layout.pinned - (from < layout.pinned ? 1 : 0),
  };
}

/** @param width Pixels; null: the usual. */
export function resizeColumn(layout: ColumnLayout, column: string, width: number | null): ColumnLayout {
  const widths = new Map(layout.widths);
  if (width === null) widths.delete(column);
  else widths.set(column, clampWidth(width));
  return { ...layout, widths };
}

export function shadeColumn(layout: ColumnLayout, column: string, isShaded: boolean): ColumnLayout {
  const shaded = new Set(layout.shaded);
  if (isShaded) shaded.add(column);
  else shaded.delete(column);
  return { ...layout, shaded };
}
