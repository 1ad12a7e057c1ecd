import { formatNumber } from '#web/lib/formatNumber.ts';
import { quantile } from '#web/lib/curves/outlierRange.ts';
import { numberAxis } from '#web/lib/valueAxis.ts';
import type { ChartColors } from '../chartColors.ts';
import { shortLabels } from '../formatTick.ts';
import { AXIS_TITLE, drawAxisTitle } from './axisTitle.ts';
import type { DrawingContext } from './drawingContext.ts';
import type { PlotArea } from './plotCanvas.ts';

/** One line of a plot of rows: a run or a group with the values of its runs. */
export interface PlotRow {
  id: string;
  label: string;
  /** CSS variable. */
  color: string;
  values: readonly number[];
  /** Of bars: the mean with its interval, which is the mean itself for one run. */
  mean: number;
  low: number;
  high: number;
}

export interface RowsDrawing {
  rows: readonly PlotRow[];
  kind: 'bar' | 'box';
  /** What lies along x, in words. */
  xTitle: string;
  colors: ChartColors;
  lit: string | null;
}

const PAD = { right: 14, top: 4, bottom: 22 + AXIS_TITLE };
const ROW = { most: 30, least: 15 };
/** Letters of a name that stay at its beginning. */
const HEAD = 4;
/** Whiskers reach to the last value within so many heights of the box (Tukey). */
const WHISKER = 1.5;

/** Which row stands at a height; null beside them. */
export function rowAt(rows: readonly PlotRow[], top: number, height: number): PlotRow | null {
  return rows[Math.floor((top - PAD.top) / rowHeight(rows.length, height))] ?? null;
}

function rowHeight(count: number, height: number): number {
  return Math.min(ROW.most, Math.max(ROW.least, (height - PAD.top - PAD.bottom) / Math.max(1, count)));
}

/** Draws a bar with its interval, or a box over its values, for each row that has room; tells how many have none. */
export function drawRows(area: PlotArea, { rows, kind, xTitle, colors, lit }: RowsDrawing): void {
  const { context, width, height } = area;
  const high = rowHeight(rows.length, height);
  const shown = rows.slice(0, Math.max(1, Math.floor((height - PAD.top - PAD.bottom) / high)));
  const family = getComputedStyle(document.body).fontFamily;
  context.font = `11px ${family}`;
  const labelRoom = Math.min(
    width * 0.42,
    Math.max(...shown.map(({ label }) => context.measureText(label).width), 20) + 8,
  );
  const all = shown.flatMap(({ values, low, high: top }) => (kind === 'bar' ? [low, top] : values));
  let [from, to] = [Math.min(...all), Math.max(...all)];
  if (kind === 'bar' && from > 0 && from < to * 0.5) from = 0;
  if (kind === 'bar' && to < 0) to = 0;
  const margin = (to - from || Math.abs(to) || 1) * 0.06;
  from -= from === 0 ? 0 : margin;
  to += to === 0 ? 0 : margin;
  const axis = numberAxis(from, to);
  const x = (value: number) => labelRoom + axis.place(value) * (width - labelRoom - PAD.right);
  drawTicks(area, { axis, xTitle, labelRoom, colors, bottom: PAD.top + shown.length * high });
  for (const [index, row] of shown.entries()) {
    const middle = PAD.top + (index + 0.5) * high;
    context.globalAlpha = lit === null || lit === row.id ? 1 : 0.35;
    context.fillStyle = colors.text;
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    context.fillText(fitted(context, row.label, labelRoom - 6), labelRoom - 6, middle);
    const mark = {
      context,
      x,
      middle,
      thick: Math.min(16, high * 0.62),
      color: colors.of(row.color),
      text: colors.text,
    };
    if (kind === 'bar') drawBar(mark, row, from <= 0 && to >= 0 ? x(0) : null);
    else drawBox(mark, row.values, colors.surface);
  }
  context.globalAlpha = 1;
  if (shown.length < rows.length) {
    context.fillStyle = colors.muted;
    context.textAlign = 'left';
    context.fillText(`and ${rows.length - shown.length} more`, 4, height - 10);
  }
}

interface Mark {
  context: DrawingContext;
  x(value: number): number;
  middle: number;
  thick: number;
  color: string;
  text: string;
}

/** A bar from zero to the mean; where the axis has no zero, a dot: a bar that begins elsewhere would lie about sizes. */
function drawBar({ context, x, middle, thick, color, text }: Mark, row: PlotRow, zero: number | null): void {
  const end = x(row.mean);
  context.fillStyle = color;
  if (zero !== null) {
    context.fillRect(Math.min(zero, end), middle - thick / 2, Math.max(1, Math.abs(end - zero)), thick);
  }
  context.strokeStyle = zero === null ? color : text;
  context.lineWidth = zero === null ? 2 : 1.5;
  if (row.high > row.low) {
    line(context, [x(row.low), middle], [x(row.high), middle]);
    for (const value of [row.low, row.high]) line(context, [x(value), middle - 4], [x(value), middle + 4]);
  }
  if (zero !== null) return;
  context.beginPath();
  context.arc(end, middle, Math.min(5, thick / 2), 0, 2 * Math.PI);
  context.fill();
}

function drawBox({ context, x, middle, thick, color, text }: Mark, values: readonly number[], surface: string): void {
  const sorted = Float64Array.from(values).sort();
  const [q1, q2, q3] = [0.25, 0.5, 0.75].map((share) => quantile(sorted, share)) as [number, number, number];
  const reach = WHISKER * (q3 - q1);
  const inside = sorted.filter((value) => value >= q1 - reach && value <= q3 + reach);
  context.strokeStyle = color;
  context.lineWidth = 1.5;
  line(context, [x(inside[0]!), middle], [x(q1), middle]);
  line(context, [x(q3), middle], [x(inside.at(-1)!), middle]);
  for (const value of [inside[0]!, inside.at(-1)!])
    line(context, [x(value), middle - thick / 4], [x(value), middle + thick / 4]);
  context.fillStyle = surface;
  context.fillRect(x(q1), middle - thick / 2, x(q3) - x(q1), thick);
  context.strokeRect(x(q1), middle - thick / 2, x(q3) - x(q1), thick);
  context.strokeStyle = text;
  context.lineWidth = 2;
  line(context, [x(q2), middle - thick / 2], [x(q2), middle + thick / 2]);
  context.fillStyle = color;
  for (const value of sorted.length <= 30 ? sorted : sorted.filter((one) => one < q1 - reach || one > q3 + reach)) {
    context.beginPath();
    context.arc(x(value), middle, 2, 0, 2 * Math.PI);
    context.fill();
  }
}

function drawTicks(
  { context, width, height }: PlotArea,
  {
    axis,
    xTitle,
    labelRoom,
    colors,
    bottom,
  }: { axis: ReturnType<typeof numberAxis>; xTitle: string; labelRoom: number; colors: ChartColors; bottom: number },
): void {
  context.strokeStyle = colors.line;
  context.fillStyle = colors.muted;
  context.lineWidth = 1;
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  let free = 0;
  const labels = shortLabels(axis.ticks.map(({ label }) => label));
  for (const [index, { place }] of axis.ticks.entries()) {
    const left = Math.round(labelRoom + place * (width - labelRoom - PAD.right)) + 0.5;
    line(context, [left, PAD.top], [left, Math.min(bottom, height - PAD.bottom)]);
    const text = labels[index]!;
    const half = context.measureText(text).width / 2;
    if (left - half < free) continue;
    free = left + half + 8;
    context.fillText(text, Math.min(width - half - 1, left), Math.min(bottom + 14, height - AXIS_TITLE - 6));
  }
  drawAxisTitle(context, xTitle, {
    ...{ from: labelRoom, to: width - PAD.right },
    height: Math.min(bottom + 16 + AXIS_TITLE, height),
  });
}

function line(context: DrawingContext, from: [number, number], to: [number, number]): void {
  context.beginPath();
  context.moveTo(...from);
  context.lineTo(...to);
  context.stroke();
}

/** The text, a part after its beginning left out where there is no room for all: what tells names apart stands at both ends. */
function fitted(context: DrawingContext, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text;
  for (let keep = text.length - HEAD - 1; keep > 2; keep--) {
    const short = `${text.slice(0, HEAD)}…${text.slice(text.length - keep)}`;
    if (context.measureText(short).width <= room) return short;
  }
  return text.slice(0, HEAD);
}

/** A row in words: mean, interval and number of runs of a bar, quartiles of a box. */
export function rowText(row: PlotRow, kind: 'bar' | 'box'): string {
  const runs = row.values.length === 1 ? '1 run' : `${row.values.length} runs`;
  if (kind === 'bar') {
    const interval = row.high > row.low ? `, ${formatNumber(row.low, 4)} to ${formatNumber(row.high, 4)}` : '';
    return `${row.label}: ${formatNumber(row.mean, 4)}${interval}, ${runs}`;
  }
  const sorted = Float64Array.from(row.values).sort();
  const [q1, q2, q3] = [0.25, 0.5, 0.75].map((share) => formatNumber(quantile(sorted, share), 4));
  return `${row.label}: median ${q2}, quartiles ${q1} and ${q3}, ${runs}`;
}
