import type { ChartColors } from '../chartColors.ts';
import type { DrawingContext } from '../plot/drawingContext.ts';
import type { PlotCurve } from './plotCurve.ts';

/** The plot's own part of its picture, in pixels. */
export interface PlotBox {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Of a curve that leaves the axis more often the other places are not marked. */
const MOST_MARKS = 3;
const SIZE = 5;

/** Where a curve leaves the vertical axis: its first point beyond, by whether it lies above. Of one that begins beyond, its beginning. */
export function edgePlaces(
  { x, y }: Pick<PlotCurve, 'x' | 'y'>,
  pixels: { x(value: number): number; y(value: number): number },
  { left, right, top, bottom }: PlotBox,
): { at: number; isAbove: boolean }[] {
  const places: { at: number; isAbove: boolean }[] = [];
  let before: 'above' | 'below' | 'inside' = 'inside';
  for (let i = 0; i < x.length && places.length < MOST_MARKS; i++) {
    const [across, down] = [pixels.x(x[i]!), pixels.y(y[i]!)];
    if (!(across >= left - 0.5 && across <= right + 0.5) || Number.isNaN(down) || !Number.isFinite(y[i]!)) continue;
    const here = down < top - 0.5 ? 'above' : down > bottom + 0.5 ? 'below' : 'inside';
    if (here !== 'inside' && here !== before) places.push({ at: across, isAbove: here === 'above' });
    before = here;
  }
  return places;
}

/** Small arrows in the colors of the curves where they leave the axis. */
export function drawEdgeMarks(
  context: DrawingContext,
  curves: readonly PlotCurve[],
  { pixels, colors, box }: { pixels: Parameters<typeof edgePlaces>[1]; colors: ChartColors; box: PlotBox },
): void {
  for (const curve of curves) {
    context.fillStyle = colors.of(curve.style.colorVariable);
    for (const { at, isAbove } of edgePlaces(curve, pixels, box)) {
      const tip = isAbove ? box.top - 1 : box.bottom - 1;
      const foot = isAbove ? tip + SIZE + 1 : tip - SIZE - 1;
      context.beginPath();
      context.moveTo(at, tip);
      context.lineTo(at + SIZE, foot);
      context.lineTo(at - SIZE, foot);
      context.closePath();
      context.fill();
    }
  }
}
