import { type PointerEvent, type RefObject, useRef, useState } from 'react';

export interface ColumnDrag {
  column: string;
  /** The column beside which it would be dropped, and on which side. */
  target: string;
  after: boolean;
}

/** Pixels after which a press is a drag. */
const THRESHOLD = 6;
/** So near to an edge the table scrolls along, so many pixels a frame. */
const EDGE = 48;
const EDGE_STEP = 14;

/** Dragging heads of columns with the mouse. @param onDrop Told the column and the one before which (or after which) it was dropped. */
export function useColumnDrag(scroller: RefObject<HTMLElement | null>, onDrop: (drag: ColumnDrag) => void) {
  const [drag, setDrag] = useState<ColumnDrag | null>(null);
  /** A drag ends with a click, which is to sort nothing. */
  const wasDragged = useRef(false);

  const onPointerDown = (event: PointerEvent<HTMLElement>, column: string) => {
    wasDragged.current = false;
    // fingers scroll; they have the column's menu
    if (event.button !== 0 || event.pointerType === 'touch') return;
    const start = event.clientX;
    let x = start;
    let current: ColumnDrag | null = null;
    let frame = 0;
    const place = () => {
      current = placeAt(scroller.current, x, column);
      setDrag(current);
    };
    const scrollAlong = () => {
      const element = scroller.current;
      if (element === null) return;
      const { left, right } = element.getBoundingClientRect();
      const step = x > right - EDGE ? EDGE_STEP : x < left + EDGE ? -EDGE_STEP : 0;
      if (step !== 0) {
        element.scrollLeft += step;
        place();
      }
      frame = requestAnimationFrame(scrollAlong);
    };
    const onMove = (moved: globalThis.PointerEvent) => {
      x = moved.clientX;
      if (!wasDragged.current) {
        if (Math.abs(x - start) < THRESHOLD) return;
        wasDragged.current = true;
        frame = requestAnimationFrame(scrollAlong);
      }
      moved.preventDefault();
      place();
    };
    const end = (drop: boolean) => {
      cancelAnimationFrame(frame);
      window.removeEventListener('pointermove', onMove);
      window.removeEventListener('pointerup', onUp);
      window.removeEventListener('keydown', onKey);
      setDrag(null);
      if (drop && current !== null && current.target !== column) onDrop(current);
    };
    const onUp = () => end(true);
    const onKey = (pressed: globalThis.KeyboardEvent) => {
      if (pressed.key === 'Escape') end(false);
    };
    window.addEventListener('pointermove', onMove);
    window.addEventListener('pointerup', onUp);
    window.addEventListener('keydown', onKey);
  };
  return { drag, onPointerDown, wasDragged };
}

/** Beside which column something at `x` would be dropped. */
function placeAt(scroller: HTMLElement | null, x: number, column: string): ColumnDrag | null {
  // pinned heads lie over the others, so that they are looked at first
  const heads = [...(scroller?.querySelectorAll<HTMLElement>('th[data-column]') ?? [])];
  const boxes = heads.map((head) => ({ column: head.dataset.column!, box: head.getBoundingClientRect() }));
  const under = boxes.find(({ box }) => x >= box.left && x < box.right) ?? boxes.at(-1);
  if (under === undefined) return null;
  return { column, target: under.column, after: x > (under.box.left + under.box.right) / 2 };
}
