import type { Range } from '@tanstack/react-virtual';

/**
 * Which rows, or columns, a virtualizer draws beyond those in sight: some on the side that scrolling goes to, and few on the
 * other one, where drawing them would cost each frame as much.
 */
export function drawnAhead({ ahead, behind }: { ahead: number; behind: number }): (range: Range) => number[] {
  let before = 0;
  let isForward = true;
  return ({ startIndex, endIndex, count }) => {
    if (startIndex !== before) isForward = startIndex > before;
    before = startIndex;
    const from = Math.max(0, startIndex - (isForward ? behind : ahead));
    const to = Math.min(count - 1, endIndex + (isForward ? ahead : behind));
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
  };
}
