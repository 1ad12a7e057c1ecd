import type { CSSProperties } from 'react';
import type { ColumnWindow } from './useColumnWindow.ts';

const SELECT_WIDTH = 34;
const NUMBER_WIDTH = 66;
/** Of the columns that stand before all others. */
export const LEAD = SELECT_WIDTH + NUMBER_WIDTH;

/** How wide the columns are that are drawn, and the room of those that are not. */
export function RunTableColumns({ pinned, shown, before, widthOf }: ColumnWindow) {
  return (
    <colgroup>
      <col style={{ width: SELECT_WIDTH }} />
      <col style={{ width: NUMBER_WIDTH }} />
      {pinned.map((column) => (
        <col key={column} style={{ width: widthOf(column) }} />
      ))}
      <col style={{ width: before }} />
      {shown.map((column) => (
        <col key={column} style={{ width: widthOf(column) }} />
      ))}
      <col />
    </colgroup>
  );
}

/** How far from the left each pinned column stands, as variables that its cells read. */
export function pinOffsets(pinned: readonly string[], widthOf: (column: string) => number): CSSProperties {
  let left = LEAD;
  const offsets: Record<string, string> = {};
  pinned.forEach((column, index) => {
    offsets[`--pin-${index}`] = `${left}px`;
    left += widthOf(column);
  });
  return offsets;
}
