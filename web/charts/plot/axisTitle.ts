import type { DrawingContext } from './drawingContext.ts';

/** Pixels that the title of an x axis takes beneath the marks. */
export const AXIS_TITLE = 14;

/** Writes what lies along x in the middle beneath the marks, in the font and the color that are set; its beginning where there is no room for all. */
export function drawAxisTitle(
  context: DrawingContext,
  title: string,
  { from, to, height }: { from: number; to: number; height: number },
): void {
  let text = title;
  for (let keep = title.length - 1; keep > 0 && context.measureText(text).width > to - from; keep--) {
    text = `${title.slice(0, keep)}…`;
  }
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  context.fillText(text, (from + to) / 2, height - 4);
}
