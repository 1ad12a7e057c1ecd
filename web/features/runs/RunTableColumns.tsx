import type { CSSProperties } from 'react';
import type { ColumnWindow } from './useColumnWindow.ts';

const SELECT_WIDTH = 34;
const NUMBER_WIDTH = 66;
/** On a phone. */
const NARROW_NUMBER_WIDTH = 46;
const DIGIT_WIDTH = 8;
/** Around a number, and for the key of a curve before it. */
const NUMBER_PAD = 16;
const KEY_WIDTH = 26;

interface Lead {
  narrow: boolean;
  /** Whether keys of curves stand before the numbers. */
  hasMarks: boolean;
  /** The highest number of a run: all of its digits are seen. */
  highest: number;
}

/** Pixels of the columns that stand before all others. */
export function leadWidth({ narrow, hasMarks, highest }: Lead): number {
  const needed = NUMBER_PAD + (hasMarks ? KEY_WIDTH : 0) + DIGIT_WIDTH * String(highest).length;
  return SELECT_WIDTH + Math.max(needed, narrow ? NARROW_NUMBER_WIDTH : NUMBER_WIDTH);
}

export interface RunTableColumnsProps extends ColumnWindow {
  /** Pixels of the columns that stand before all others. */
  lead: number;
}

/** How wide the columns are that are drawn, and the room of those that are not. */
export function RunTableColumns({ lead, pinned, shown, before, widthOf }: RunTableColumnsProps) {
  return (
    <colgroup>
      <col style={{ width: SELECT_WIDTH }} />
      <col style={{ width: lead - SELECT_WIDTH }} />
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
export function pinOffsets({ lead, pinned, widthOf }: RunTableColumnsProps): CSSProperties {
  let left = lead;
  const offsets: Record<string, string> = {};
  pinned.forEach((column, index) => {
    offsets[`--pin-${index}`] = `${left}px`;
    left += widthOf(column);
  });
  return offsets;
}
