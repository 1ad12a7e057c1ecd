import type { RefObject } from 'react';
import type { PlotArea } from './plotCanvas.ts';

/** A picture of a part of a plot, and of what it was made. */
export interface KeptPicture {
  canvas: HTMLCanvasElement;
  of: readonly unknown[];
}

/** Draws a picture of what `paint` draws, which is called only where the size or a member of `of` has changed. */
export function keepPicture(
  kept: RefObject<KeptPicture | null>,
  area: PlotArea,
  of: readonly unknown[],
  paint: (inside: PlotArea) => void,
): void {
  const { width, height, context } = area;
  if (context.drawImage === undefined) {
    paint(area);
    return;
  }
  const ratio = window.devicePixelRatio;
  const made = [...of, width, height, ratio];
  if (kept.current === null || made.some((part, index) => part !== kept.current?.of[index])) {
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(width * ratio));
    canvas.height = Math.max(1, Math.round(height * ratio));
    const inside = canvas.getContext('2d');
    if (inside === null) return;
    inside.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint({ context: inside, width, height });
    kept.current = { canvas, of: made };
  }
  context.drawImage(kept.current.canvas, 0, 0, width, height);
}
