import type { DrawingContext } from './drawingContext.ts';
import type { ParallelAxisData } from './parallelTypes.ts';
import type { PlotArea } from './plotCanvas.ts';
import { type PlotColors, RAMP_STEPS } from './plotColors.ts';
import { type PlotPoints, rampStep } from './plotPoints.ts';

/** Room above the axes for their names, and beneath. */
export const PARALLEL_PAD = { top: 30, bottom: 12, left: 46, right: 74 };
/** Lines within this distance of the pointer, in pixels, are under it. */
const REACH = 6;

/** The middle of an axis, in pixels. */
export function axisX(index: number, count: number, width: number): number {
  const { left, right } = PARALLEL_PAD;
  return count === 1 ? width / 2 : left + (index / (count - 1)) * (width - left - right);
}

function toY(place: number, height: number): number {
  const { top, bottom } = PARALLEL_PAD;
  return height - bottom - place * (height - top - bottom);
}

/** Places of all points on all axes (points × axes), so that a line is read from one piece of memory. */
export function fractionsOf(axes: readonly ParallelAxisData[], count: number): Float64Array {
  const lines = new Float64Array(count * axes.length);
  for (const [index, { places }] of axes.entries()) {
    for (let point = 0; point < count; point++) lines[point * axes.length + index] = places[point]!;
  }
  return lines;
}

interface Lines {
  points: PlotPoints;
  axes: readonly ParallelAxisData[];
  lines: Float64Array;
}

/** Gives each line of a point to the context's path. */
function tracer({ context, width, height }: PlotArea, { axes, lines }: Pick<Lines, 'axes' | 'lines'>) {
  const xs = axes.map((_, index) => axisX(index, axes.length, width));
  return (point: number): void => {
    let pen = false;
    for (let axis = 0; axis < xs.length; axis++) {
      const place = lines[point * xs.length + axis]!;
      // a parameter that the point does not have leaves a gap
      if (Number.isNaN(place)) pen = false;
      else if (pen) context.lineTo(xs[axis]!, toY(place, height));
      else {
        context.moveTo(xs[axis]!, toY(place, height));
        pen = true;
      }
    }
  };
}

/** Draws lines in one faint stroke: all of them, or those for which `isDrawn`. */
export function drawFaint(
  area: PlotArea,
  { points, axes, lines }: Lines,
  { color, isDrawn = () => true }: { color: string; isDrawn?: (point: number) => boolean },
): void {
  const { context } = area;
  const trace = tracer(area, { axes, lines });
  context.lineJoin = 'round';
  context.lineWidth = 1;
  context.strokeStyle = color;
  context.globalAlpha = 0.55;
  context.beginPath();
  for (const point of points.order) if (isDrawn(point)) trace(point);
  context.stroke();
  context.globalAlpha = 1;
}

/**
 * Draws axes and lines: those that a filter leaves out in one faint stroke, the others from bad to good.
 * @param given.faint Draws all lines faintly, instead of those that are left out: a picture of them is quicker to draw.
 */
export function drawParallel(
  area: PlotArea,
  given: Lines & { colors: PlotColors; hovered: number | null; faint?: () => void },
): void {
  const { points, axes, lines, colors, hovered, faint } = given;
  const { context, width } = area;
  const xs = axes.map((_, index) => axisX(index, axes.length, width));
  const trace = tracer(area, { axes, lines });
  if (points.filtered) {
    if (faint !== undefined) faint();
    else
      drawFaint(area, { points, axes, lines }, { color: colors.out, isDrawn: (point) => points.passes[point] === 0 });
  }
  context.lineJoin = 'round';
  const shown = points.filtered ? points.passes.reduce((sum, passes) => sum + passes, 0) : points.count;
  context.globalAlpha = shown > 300 ? 0.55 : 0.85;
  context.lineWidth = shown > 300 ? 1 : 1.4;
  let step = -2;
  for (const point of points.order) {
    if (points.filtered && points.passes[point] === 0) continue;
    const next = rampStep(points.goodness[point]!, RAMP_STEPS);
    if (next !== step) {
      if (step !== -2) context.stroke();
      context.strokeStyle = colors.ramp[next] ?? colors.none;
      context.beginPath();
      step = next;
    }
    trace(point);
  }
  if (step !== -2) context.stroke();
  context.globalAlpha = 1;
  drawAxes(area, axes, { xs, colors });
  if (hovered === null) return;
  context.strokeStyle = colors.text;
  context.lineWidth = 2.5;
  context.beginPath();
  trace(hovered);
  context.stroke();
}

function drawAxes(
  { context, width, height }: PlotArea,
  axes: readonly ParallelAxisData[],
  { xs, colors }: { xs: readonly number[]; colors: PlotColors },
): void {
  const family = getComputedStyle(document.body).fontFamily;
  const room = xs.length > 1 ? xs[1]! - xs[0]! - 10 : width;
  for (const [index, { title, ticks }] of axes.entries()) {
    const x = Math.round(xs[index]!) + 0.5;
    context.strokeStyle = colors.muted;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(x, toY(1, height));
    context.lineTo(x, toY(0, height));
    context.stroke();
    context.font = `600 12px ${family}`;
    context.fillStyle = colors.text;
    context.textAlign = 'center';
    const text = fitted(context, title, room);
    const half = context.measureText(text).width / 2;
    context.fillText(text, Math.min(width - half - 2, Math.max(half + 2, x)), 14);
    context.font = `11px ${family}`;
    context.textAlign = 'left';
    context.textBaseline = 'middle';
    for (const tick of ticks) {
      const y = toY(tick.place, height);
      const label = fitted(context, tick.label, Math.max(30, Math.min(room - 8, 90)));
      // a ground behind the words, so that lines do not cross them out
      context.fillStyle = colors.surface;
      context.globalAlpha = 0.78;
      context.fillRect(x + 5, y - 7, context.measureText(label).width + 4, 14);
      context.globalAlpha = 1;
      context.fillStyle = colors.muted;
      context.fillText(label, x + 7, y);
    }
    context.textBaseline = 'alphabetic';
  }
}

/** The text, its middle left out where there is no room for all. */
function fitted(context: DrawingContext, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text;
  for (let keep = text.length - 1; keep > 2; keep--) {
    const short = `…${text.slice(text.length - keep)}`;
    if (context.measureText(short).width <= room) return short;
  }
  return text.slice(0, 2);
}

/** The line under the pointer; null where none is near. */
export function nearestLine(
  { x, y }: { x: number; y: number },
  { width, height }: { width: number; height: number },
  { points, axes, lines }: Lines,
): number | null {
  const count = axes.length;
  const right = axes.findIndex((_, index) => axisX(index, count, width) > x);
  if (right <= 0) return null;
  const [from, to] = [axisX(right - 1, count, width), axisX(right, count, width)];
  const share = (x - from) / (to - from);
  let [found, distance]: [number | null, number] = [null, REACH];
  // the good are drawn last, and are found first where lines cross
  for (let at = points.count - 1; at >= 0; at--) {
    const point = points.order[at]!;
    if (points.filtered && points.passes[point] === 0) continue;
    const [a, b] = [toY(lines[point * count + right - 1]!, height), toY(lines[point * count + right]!, height)];
    const away = Math.abs(a + share * (b - a) - y);
    if (away < distance) [found, distance] = [point, away];
  }
  return found;
}
