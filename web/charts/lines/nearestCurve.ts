import type { LineScale } from './lineScale.ts';
import { pixelsOf } from './drawLines.ts';
import type { PlotCurve } from './plotCurve.ts';

/** A curve's point beside the pointer. */
export interface CurveHit {
  curve: PlotCurve;
  /** Index of its point. */
  index: number;
  /** How far from the pointer it stands, in pixels of height. */
  away: number;
}

/** For each curve its point that is nearest to x, those nearest to the pointer first; curves that end before or begin after are left out. */
export function curvesAt(
  curves: readonly PlotCurve[],
  scale: LineScale,
  { x, top, size }: { x: number; top: number; size: { width: number; height: number } },
): CurveHit[] {
  const pixels = pixelsOf(scale, size);
  const at = pixels.x(x);
  const hits: CurveHit[] = [];
  for (const curve of curves) {
    const index = nearestIndex(curve.x, x);
    if (index === null) continue;
    const isBeside = Math.abs(pixels.x(curve.x[index]!) - at) < 24 || (x >= curve.x[0]! && x <= curve.x.at(-1)!);
    if (!isBeside) continue;
    const away = Math.abs(pixels.y(curve.y[index]!) - top);
    hits.push({ curve, index, away: Number.isNaN(away) ? Number.POSITIVE_INFINITY : away });
  }
  return hits.sort((a, b) => a.away - b.away);
}

/** The index of the value of a rising list that is nearest to one; null of an empty list. */
export function nearestIndex(values: readonly number[], wanted: number): number | null {
  if (values.length === 0) return null;
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low > 0 && wanted - values[low - 1]! <= values[low]! - wanted ? low - 1 : low;
}
