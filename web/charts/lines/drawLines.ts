import type { ChartColors } from '../chartColors.ts';
import { AXIS_TITLE, drawAxisTitle } from '../plot/axisTitle.ts';
import type { DrawingContext } from '../plot/drawingContext.ts';
import type { PlotArea } from '../plot/plotCanvas.ts';
import { drawEdgeMarks } from './edgeMarks.ts';
import { type LineScale, marksAcross, marksUp } from './lineScale.ts';
import type { PlotCurve } from './plotCurve.ts';

export interface LineDrawing {
  curves: readonly PlotCurve[];
  scale: LineScale;
  colors: ChartColors;
  /** The curve that is looked at: the others step back. */
  lit: string | null;
  /** What lies along x, in words. */
  xTitle: string;
  /** Stands in the corner of a picture that has no words beside it. */
  note?: string | null;
}

export const LINE_PAD = { left: 50, right: 12, top: 8, bottom: 22 + AXIS_TITLE };
/** With more curves than this, lines are thin, and bands are drawn for the one that is looked at alone. */
const MANY = 25;
/** Of more points than this all together dashes are left out, but of the curve that is looked at: they would take a second to draw. */
const HEAVY = 50_000;
/** Radius of a point that is all of its curve; at the edge of the plot it is whole, too. */
const DOT = 3.5;
/** Curves with so few points show each of them. */
const FEW_POINTS = 25;

/** Where values stand in the plot, in pixels. */
export function pixelsOf(
  { xRange, yRange, logX, logY }: LineScale,
  { width, height }: { width: number; height: number },
) {
  const { left, right, top, bottom } = LINE_PAD;
  const x = along(xRange, logX, { from: left, to: width - right });
  const y = along(yRange, logY, { from: height - bottom, to: top });
  return { x: x.toPixel, y: y.toPixel, xAt: x.valueAt };
}

function along(
  { low, high }: { low: number; high: number },
  isLog: boolean,
  { from, to }: { from: number; to: number },
) {
  const [a, b] = isLog ? [Math.log(low), Math.log(high)] : [low, high];
  const scale = (to - from) / (b - a);
  return {
    toPixel: isLog
      ? (value: number) => (value > 0 ? from + (Math.log(value) - a) * scale : Number.NaN)
      : (value: number) => from + (value - a) * scale,
    valueAt: (pixel: number) => {
      const at = a + (pixel - from) / scale;
      return isLog ? Math.exp(at) : at;
    },
  };
}

/** Draws axes, bands, lines, and a mark where values that are not finite begin. */
export function drawLines(area: PlotArea, drawing: LineDrawing): void {
  const { context, width, height } = area;
  const { curves, colors, lit } = drawing;
  drawAxes(area, drawing);
  const pixels = pixelsOf(drawing.scale, area);
  context.save();
  context.beginPath();
  context.rect(
    LINE_PAD.left - DOT,
    LINE_PAD.top - DOT,
    width - LINE_PAD.left - LINE_PAD.right + 2 * DOT,
    height - LINE_PAD.top - LINE_PAD.bottom + 2 * DOT,
  );
  context.clip();
  const many = curves.length > MANY;
  const isHeavy = curves.reduce((sum, { x }) => sum + x.length, 0) > HEAVY;
  const ordered =
    lit === null ? curves : [...curves.filter(({ id }) => id !== lit), ...curves.filter(({ id }) => id === lit)];
  for (const curve of ordered) {
    const isLit = curve.id === lit;
    if (many ? isLit : lit === null || isLit) drawBand(context, curve, { pixels, colors });
  }
  context.lineJoin = 'round';
  for (const curve of ordered) {
    const isLit = curve.id === lit;
    context.globalAlpha = lit === null || isLit ? (many && !isLit ? 0.75 : 1) : 0.18;
    context.lineWidth = isLit ? 2.75 : many ? 1 : 1.75;
    drawLine(context, curve, { pixels, colors, dash: isHeavy && !isLit ? [] : curve.style.dash });
  }
  context.globalAlpha = 1;
  context.setLineDash([]);
  context.restore();
  if (drawing.scale.beyond.some > 0) {
    const { left, right, top, bottom } = LINE_PAD;
    const box = { left, right: width - right, top, bottom: height - bottom };
    drawEdgeMarks(context, ordered, { pixels, colors, box });
  }
  if (drawing.note != null) drawNote(area, drawing.note, colors);
}

/** Words in the upper right corner, over a ground of their own. */
function drawNote({ context, width }: PlotArea, note: string, colors: ChartColors): void {
  context.font = `11px ${getComputedStyle(document.body).fontFamily}`;
  const wide = context.measureText(note).width;
  context.fillStyle = colors.surface;
  context.fillRect(width - LINE_PAD.right - wide - 8, LINE_PAD.top + 8, wide + 8, 16);
  context.fillStyle = colors.muted;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  context.fillText(note, width - LINE_PAD.right - 4, LINE_PAD.top + 16);
}

interface Pen {
  pixels: ReturnType<typeof pixelsOf>;
  colors: ChartColors;
}

function drawLine(
  context: DrawingContext,
  { x, y, style }: PlotCurve,
  { pixels, colors, dash }: Pen & { dash: number[] },
): void {
  const color = colors.of(style.colorVariable);
  context.strokeStyle = color;
  context.setLineDash(dash);
  context.beginPath();
  const gaps: [number, number][] = [];
  const alone: [number, number][] = [];
  let pen = 0;
  let [lastX, lastY] = [Number.NaN, Number.NaN];
  for (let i = 0; i < x.length; i++) {
    const [left, top] = [pixels.x(x[i]!), pixels.y(y[i]!)];
    if (!(Number.isFinite(left) && Number.isFinite(top))) {
      if (pen === 1) alone.push([lastX, lastY]);
      if (pen > 0 || i === 0) gaps.push([Number.isNaN(lastX) ? left : lastX, lastY]);
      pen = 0;
      continue;
    }
    if (pen === 0) context.moveTo(left, top);
    else if (Math.abs(left - lastX) < 0.4 && Math.abs(top - lastY) < 0.4) continue;
    else context.lineTo(left, top);
    pen += 1;
    [lastX, lastY] = [left, top];
  }
  context.stroke();
  context.setLineDash([]);
  if (pen === 1) alone.push([lastX, lastY]);
  const marked: [number, number][] =
    x.length <= FEW_POINTS ? [...x.keys()].map((i) => [pixels.x(x[i]!), pixels.y(y[i]!)]) : alone;
  context.fillStyle = color;
  for (const [left, top] of marked) {
    if (!(Number.isFinite(left) && Number.isFinite(top))) continue;
    context.beginPath();
    context.arc(left, top, x.length === 1 ? DOT : 2.2, 0, 2 * Math.PI);
    context.fill();
  }
  for (const [left, top] of gaps)
    if (Number.isFinite(left) && Number.isFinite(top)) drawGap(context, left, top, colors);
}

function drawGap(context: DrawingContext, left: number, top: number, colors: ChartColors): void {
  context.beginPath();
  context.moveTo(left, top - 4);
  context.lineTo(left + 4, top);
  context.lineTo(left, top + 4);
  context.lineTo(left - 4, top);
  context.closePath();
  context.fillStyle = colors.surface;
  context.fill();
  context.strokeStyle = colors.danger;
  context.lineWidth = 1.5;
  context.stroke();
}

function drawBand(context: DrawingContext, { x, low, high, style }: PlotCurve, { pixels, colors }: Pen): void {
  if (low === null || high === null) return;
  const places = [...x.keys()].filter((i) => Number.isFinite(pixels.y(low[i]!)) && Number.isFinite(pixels.y(high[i]!)));
  if (places.length < 2) return;
  context.beginPath();
  for (const [nth, i] of places.entries()) {
    if (nth === 0) context.moveTo(pixels.x(x[i]!), pixels.y(high[i]!));
    else context.lineTo(pixels.x(x[i]!), pixels.y(high[i]!));
  }
  for (const i of places.reverse()) context.lineTo(pixels.x(x[i]!), pixels.y(low[i]!));
  context.closePath();
  context.fillStyle = colors.of(style.colorVariable);
  context.globalAlpha = 0.17;
  context.fill();
  context.globalAlpha = 1;
}

function drawAxes({ context, width, height }: PlotArea, { scale, colors, xTitle }: LineDrawing): void {
  context.font = `11px ${getComputedStyle(document.body).fontFamily}`;
  context.lineWidth = 1;
  context.strokeStyle = colors.line;
  context.fillStyle = colors.muted;
  context.textBaseline = 'middle';
  context.textAlign = 'right';
  const rows = height - LINE_PAD.top - LINE_PAD.bottom;
  for (const { place, label } of marksUp(scale, rows)) {
    if (!(place >= -0.001 && place <= 1.001)) continue;
    const top = Math.round(height - LINE_PAD.bottom - place * rows) + 0.5;
    context.beginPath();
    context.moveTo(LINE_PAD.left, top);
    context.lineTo(width - LINE_PAD.right, top);
    context.stroke();
    context.fillText(label, LINE_PAD.left - 6, top);
  }
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  const room = width - LINE_PAD.left - LINE_PAD.right;
  let free = 0;
  for (const { place, label } of marksAcross(scale, room)) {
    if (!(place >= -0.001 && place <= 1.001)) continue;
    const half = context.measureText(label).width / 2;
    const middle = Math.min(width - half - 1, LINE_PAD.left + place * room);
    if (middle - half < free) continue;
    free = middle + half + 8;
    context.fillText(label, middle, height - AXIS_TITLE - 6);
  }
  drawAxisTitle(context, xTitle, { from: LINE_PAD.left, to: width - LINE_PAD.right, height });
  context.beginPath();
  context.strokeStyle = colors.muted;
  const floor = Math.round(height - LINE_PAD.bottom) + 0.5;
  context.moveTo(LINE_PAD.left, floor);
  context.lineTo(width - LINE_PAD.right, floor);
  context.stroke();
}
