import { useEffect, useRef } from 'react';
import type { DrawingContext } from './drawingContext.ts';

/** What a plot draws on, in CSS pixels. */
export interface PlotArea {
  context: DrawingContext;
  width: number;
  height: number;
}

/** Canvases this near to the part of the page in sight are drawn anew at once. */
const NEAR = '200px';

/**
 * A canvas that fills its element at the screen's own resolution. `draw` is called at the next frame whenever it or the size
 * changes: what changes several times between two frames is drawn once, and what changes out of sight once it comes into sight,
 * or before the page is printed.
 */
export function usePlotCanvas(draw: (area: PlotArea) => void) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const current = useRef(draw);
  const frame = useRef(0);
  const isSeen = useRef(true);
  const isOld = useRef(false);

  const paint = useRef(() => {
    frame.current = 0;
    isOld.current = false;
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context) return;
    const { clientWidth: width, clientHeight: height } = element;
    const ratio = window.devicePixelRatio;
    const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (element.width !== wide || element.height !== high) {
      element.width = wide;
      element.height = high;
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    current.current({ context, width, height });
  });
  const ask = useRef(() => {
    if (!isSeen.current) isOld.current = true;
    else if (frame.current === 0) frame.current = requestAnimationFrame(paint.current);
  });

  useEffect(() => {
    current.current = draw;
    ask.current();
  }, [draw]);
  useEffect(() => {
    const observer = new ResizeObserver(() => ask.current());
    const sight = new IntersectionObserver(
      (entries) => {
        isSeen.current = entries.at(-1)?.isIntersecting ?? true;
        if (isSeen.current && isOld.current) ask.current();
      },
      { rootMargin: NEAR },
    );
    const beforePrint = () => {
      if (isOld.current) paint.current();
    };
    if (canvas.current !== null) {
      observer.observe(canvas.current);
      sight.observe(canvas.current);
    }
    window.addEventListener('beforeprint', beforePrint);
    return () => {
      observer.disconnect();
      sight.disconnect();
      window.removeEventListener('beforeprint', beforePrint);
      cancelAnimationFrame(frame.current);
      frame.current = 0;
    };
  }, []);
  return canvas;
}
