import { memo, type PointerEvent, useCallback, useMemo, useRef } from 'react';
import { AXIS_TITLE, drawAxisTitle } from './axisTitle.ts';
import type { DrawingContext } from './drawingContext.ts';
import { type PlotArea, usePlotCanvas } from './plotCanvas.ts';
import { type PlotColors, RAMP_STEPS, readPlotColors } from './plotColors.ts';
import { type PlotPoints, rampStep } from './plotPoints.ts';
import './plot.css';

export interface DotAxis {
  /** Places of the points, 0 to 1; NaN where a point has none. */
  places: Float64Array;
  ticks: readonly { place: number; label: string }[];
  /** Bands of equal width; null for numbers. */
  categories: number | null;
}

export interface DotPlotProps {
  points: PlotPoints;
  x: DotAxis;
  y: DotAxis;
  /** What lies along x, in words. */
  xTitle: string;
  /** Indexes of points that a stair joins, from left to right: the best so far. */
  stair?: readonly number[];
  /** What the plot shows, in words. */
  label: string;
  hovered: number | null;
  onHover(index: number | null): void;
  onPick(index: number): void;
  /** Changes when the page turns light or dark. */
  theme: string;
}

const PAD = { left: 48, right: 10, top: 8, bottom: 22 + AXIS_TITLE };
const REACH = 12;
/** Part of a category's band over which its points are spread. */
const SPREAD = 0.6;

/** Points by two axes on a canvas, coloured by how good they are. Categories become strips, each with the median of its points. */
export const DotPlot = memo(function DotPlot(props: DotPlotProps) {
  const { points, x, y, xTitle, stair, label, hovered, onHover, onPick, theme } = props;
  const colors = useMemo(() => readPlotColors(theme), [theme]);
  const across = useMemo(() => spreadStrips(x), [x]);
  const size = useRef({ width: 0, height: 0 });
  const draw = useCallback(
    (area: PlotArea) => {
      size.current = area;
      drawPlot(area, { points, x, y, xTitle, across, stair, colors, hovered });
    },
    [points, x, y, xTitle, across, stair, colors, hovered],
  );
  const canvas = usePlotCanvas(draw);

  const nearest = (event: PointerEvent<HTMLCanvasElement>): number | null => {
    const { width, height } = size.current;
    const box = event.currentTarget.getBoundingClientRect();
    const [pointerX, pointerY] = [event.clientX - box.left, event.clientY - box.top];
    let [found, distance]: [number | null, number] = [null, REACH ** 2];
    for (let index = 0; index < points.count; index++) {
      if (points.filtered && points.passes[index] === 0) continue;
      const [left, top] = [toX(across[index]!, width), toY(y.places[index]!, height)];
      const away = (left - pointerX) ** 2 + (top - pointerY) ** 2;
      if (away < distance) [found, distance] = [index, away];
    }
    return found;
  };

  return (
    <canvas
      className="plot-canvas"
      ref={canvas}
      role="img"
      aria-label={label}
      style={{ cursor: hovered === null ? undefined : 'pointer' }}
      onPointerMove={(event) => {
        const index = nearest(event);
        if (index !== hovered) onHover(index);
      }}
      onPointerLeave={() => onHover(null)}
      onClick={() => hovered !== null && onPick(hovered)}
    />
  );
});

function toX(place: number, width: number): number {
  return PAD.left + place * (width - PAD.left - PAD.right);
}

function toY(place: number, height: number): number {
  return height - PAD.bottom - place * (height - PAD.top - PAD.bottom);
}

/** Points of a category beside one another, always at the same place, so that none hides the others. */
function spreadStrips({ places, categories }: DotAxis): Float64Array {
  if (categories === null) return places;
  return places.map((place, index) => place + ((((index * 0.618_033_988_75) % 1) - 0.5) * SPREAD) / categories);
}

/** The plot alone, for a picture: nothing is looked at. */
export function drawDots(
  area: PlotArea,
  { points, x, y, xTitle, colors }: Pick<Drawing, 'points' | 'x' | 'y' | 'xTitle' | 'colors'>,
): void {
  drawPlot(area, { points, x, y, xTitle, across: spreadStrips(x), stair: undefined, colors, hovered: null });
}

interface Drawing {
  points: PlotPoints;
  x: DotAxis;
  y: DotAxis;
  xTitle: string;
  across: Float64Array;
  stair: readonly number[] | undefined;
  colors: PlotColors;
  hovered: number | null;
}

function drawPlot(area: PlotArea, drawing: Drawing): void {
  const { context, width, height } = area;
  const { points, x, y, across, stair, colors, hovered } = drawing;
  drawAxes(area, drawing);
  const dot = points.count > 400 ? 2 : 3;
  const isOut = (index: number) => points.filtered && points.passes[index] === 0;
  const at = (index: number): [number, number] => [toX(across[index]!, width), toY(y.places[index]!, height)];
  const isShown = (index: number) => !Number.isNaN(across[index]!) && !Number.isNaN(y.places[index]!);
  context.fillStyle = colors.out;
  for (const index of points.order) if (isOut(index) && isShown(index)) disc(context, at(index), dot);
  let style = '';
  for (const index of points.order) {
    if (isOut(index) || !isShown(index)) continue;
    const next = colors.ramp[rampStep(points.goodness[index]!, RAMP_STEPS)] ?? colors.none;
    if (next !== style) context.fillStyle = next;
    style = next;
    disc(context, at(index), dot);
  }
  if (stair !== undefined) drawStair(area, stair.map(at), colors);
  if (x.categories !== null) drawMedians(area, drawing);
  if (hovered === null || !isShown(hovered)) return;
  const [left, top] = at(hovered);
  context.strokeStyle = colors.text;
  context.lineWidth = 2;
  context.beginPath();
  context.arc(left, top, dot + 3, 0, 2 * Math.PI);
  context.stroke();
}

function disc(context: DrawingContext, [left, top]: [number, number], radius: number): void {
  context.beginPath();
  context.arc(left, top, radius, 0, 2 * Math.PI);
  context.fill();
}

function drawAxes({ context, width, height }: PlotArea, { x, y, xTitle, colors }: Drawing): void {
  context.font = `11px ${getComputedStyle(document.body).fontFamily}`;
  context.lineWidth = 1;
  context.strokeStyle = colors.line;
  context.fillStyle = colors.muted;
  context.textBaseline = 'middle';
  context.textAlign = 'right';
  for (const { place, label } of y.ticks) {
    const top = Math.round(toY(place, height)) + 0.5;
    line(context, [PAD.left, top], [width - PAD.right, top]);
    context.fillText(label, PAD.left - 6, top);
  }
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  let free = 0;
  for (const { place, label } of x.ticks) {
    const half = context.measureText(label).width / 2;
    const middle = Math.min(width - half - 1, Math.max(half + 1, toX(place, width)));
    if (middle - half < free) continue;
    free = middle + half + 8;
    context.fillText(label, middle, height - AXIS_TITLE - 6);
  }
  drawAxisTitle(context, xTitle, { from: PAD.left, to: width - PAD.right, height });
}

function line(context: DrawingContext, from: [number, number], to: [number, number]): void {
  context.beginPath();
  context.moveTo(...from);
  context.lineTo(...to);
  context.stroke();
}

/** From each point level to the next, then up or down to it, and on to the right end. */
function drawStair({ context, width }: PlotArea, corners: readonly [number, number][], colors: PlotColors): void {
  const [first] = corners;
  if (first === undefined) return;
  context.strokeStyle = colors.of('--accent');
  context.lineWidth = 1.75;
  context.beginPath();
  context.moveTo(...first);
  let height = first[1];
  for (const [left, top] of corners.slice(1)) {
    context.lineTo(left, height);
    context.lineTo(left, top);
    height = top;
  }
  context.lineTo(width - PAD.right, height);
  context.stroke();
}

/** A bar at the median of each strip, over the points that pass. */
function drawMedians({ context, width, height }: PlotArea, { points, x, y, colors }: Drawing): void {
  const strips = new Map<number, number[]>();
  for (let index = 0; index < points.count; index++) {
    const [place, value] = [x.places[index]!, y.places[index]!];
    if (Number.isNaN(place) || Number.isNaN(value) || (points.filtered && points.passes[index] === 0)) continue;
    const strip = strips.get(place) ?? [];
    strip.push(value);
    strips.set(place, strip);
  }
  context.strokeStyle = colors.text;
  context.lineWidth = 2;
  const half = (0.36 * (width - PAD.left - PAD.right)) / (x.categories ?? 1);
  for (const [place, values] of strips) {
    values.sort((a, b) => a - b);
    const middle = (values[(values.length - 1) >> 1]! + values[values.length >> 1]!) / 2;
    const [left, top] = [toX(place, width), toY(middle, height)];
    line(context, [left - half, top], [left + half, top]);
  }
}
