import type { KeyboardEvent } from 'react';
import type { LineScale } from './lineScale.ts';
import { nearestIndex } from './nearestCurve.ts';
import type { PlotCurve, PlotRange } from './plotCurve.ts';

export interface LineKeyActions {
  curves: readonly PlotCurve[];
  scale: LineScale;
  /** Where one looks; null: nowhere yet. */
  at: { x: number; id: string } | null;
  onLook(at: { x: number; id: string } | null): void;
  onZoom(range: PlotRange | null): void;
  onPick(id: string): void;
}

/** Shift and an arrow go so many points at once. */
const STRIDE = 10;
const ZOOM = 2;

/**
 * Keys on a plot of curves: left and right go along the points of a curve (with Shift ten at once), Home and End to its ends, up
 * and down to the curve above and below, Enter opens it, plus and minus look closer and from further away, Escape ends that.
 */
export function lineKeys({ curves, scale, at, onLook, onZoom, onPick }: LineKeyActions) {
  return (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const curve = curves.find(({ id }) => id === at?.id) ?? curves[0];
    if (curve === undefined) return;
    const { x } = curve;
    const [first, last] = endsWithin(x, scale.xRange);
    if (last < first) return;
    const index = at === null ? null : nearestIndex(x, at.x);
    const go = (to: number) => onLook({ x: x[Math.min(last, Math.max(first, to))]!, id: curve.id });
    const stride = event.shiftKey ? STRIDE : 1;
    const here = at ?? { x: x[last]!, id: curve.id };
    const act = (): boolean => {
      switch (event.key) {
        case 'ArrowRight':
          go(index === null ? first : index + stride);
          return true;
        case 'ArrowLeft':
          go(index === null ? last : index - stride);
          return true;
        case 'Home':
          go(first);
          return true;
        case 'End':
          go(last);
          return true;
        case 'ArrowUp':
          onLook(neighbour(curves, here, 1));
          return true;
        case 'ArrowDown':
          onLook(neighbour(curves, here, -1));
          return true;
        case '+':
        case '=':
          onZoom(zoomed(scale, at?.x ?? null, 1 / ZOOM));
          return true;
        case '-':
          onZoom(zoomed(scale, at?.x ?? null, ZOOM));
          return true;
        case 'Enter':
          if (at !== null) onPick(at.id);
          return at !== null;
        case 'Escape':
          if (at === null) return false;
          onLook(null);
          onZoom(null);
          return true;
        default:
          return false;
      }
    };
    if (act()) event.preventDefault();
  };
}

/** The first and the last index of the rising values that lie in a range. */
function endsWithin(values: readonly number[], { low, high }: PlotRange): [first: number, last: number] {
  const first = values.findIndex((value) => value >= low);
  return first === -1 ? [0, -1] : [first, values.findLastIndex((value) => value <= high)];
}

/** The same place on the curve whose value is the next above (1) or below (-1); the same one where there is none. */
function neighbour(
  curves: readonly PlotCurve[],
  at: { x: number; id: string },
  step: 1 | -1,
): { x: number; id: string } {
  const ordered = curves
    .map(({ id, x, y }) => ({ id, value: y[nearestIndex(x, at.x) ?? 0] ?? Number.NaN }))
    .filter(({ value }) => !Number.isNaN(value))
    .sort((a, b) => a.value - b.value);
  const place = ordered.findIndex(({ id }) => id === at.id);
  return { x: at.x, id: ordered[place + step]?.id ?? at.id };
}

/** The part of x that is `factor` times as wide, around a place or its middle. */
function zoomed({ xRange, logX }: LineScale, around: number | null, factor: number): PlotRange {
  const [toScale, fromScale] = logX ? [Math.log, Math.exp] : [Number, Number];
  const [low, high] = [toScale(xRange.low), toScale(xRange.high)];
  const middle = around === null ? (low + high) / 2 : toScale(around);
  return { low: fromScale(middle - (middle - low) * factor), high: fromScale(middle + (high - middle) * factor) };
}
