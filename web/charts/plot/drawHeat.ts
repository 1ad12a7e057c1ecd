import { formatNumber } from '#web/lib/formatNumber.ts';
import { AXIS_TITLE, drawAxisTitle } from './axisTitle.ts';
import type { PlotArea } from './plotCanvas.ts';
import { type PlotColors, RAMP_STEPS } from './plotColors.ts';
import { rampStep } from './plotPoints.ts';

/** A cell of two fields' values: the mean over its runs. */
export interface HeatCell {
  column: number;
  row: number;
  mean: number;
  n: number;
  /** 0 (bad) to 1 (good); NaN where neither way is better. */
  goodness: number;
}

export interface HeatGrid {
  /** What lies along x, in words. */
  xTitle: string;
  columns: readonly string[];
  /** From the bottom. */
  rows: readonly string[];
  cells: readonly HeatCell[];
}

const PAD = { left: 64, right: 6, top: 6, bottom: 22 + AXIS_TITLE };

/** The cell under a place in the plot; null where there is none. */
export function heatCellAt(
  grid: HeatGrid,
  at: { left: number; top: number },
  size: { width: number; height: number },
): HeatCell | null {
  const { wide, high } = cellSize(grid, size);
  const column = Math.floor((at.left - PAD.left) / wide);
  const row = grid.rows.length - 1 - Math.floor((at.top - PAD.top) / high);
  return grid.cells.find((cell) => cell.column === column && cell.row === row) ?? null;
}

function cellSize(grid: HeatGrid, { width, height }: { width: number; height: number }) {
  return {
    wide: (width - PAD.left - PAD.right) / Math.max(1, grid.columns.length),
    high: (height - PAD.top - PAD.bottom) / Math.max(1, grid.rows.length),
  };
}

/** Draws each cell in the color of its mean, from bad to good, and the mean in words where there is room. */
export function drawHeat(
  area: PlotArea,
  { grid, colors, lit }: { grid: HeatGrid; colors: PlotColors; lit: HeatCell | null },
): void {
  const { context, width, height } = area;
  const { wide, high } = cellSize(grid, area);
  const family = getComputedStyle(document.body).fontFamily;
  context.font = `11px ${family}`;
  context.textBaseline = 'middle';
  for (const cell of grid.cells) {
    const left = PAD.left + cell.column * wide;
    const top = PAD.top + (grid.rows.length - 1 - cell.row) * high;
    const step = rampStep(cell.goodness, RAMP_STEPS);
    context.fillStyle = colors.ramp[step] ?? colors.none;
    context.fillRect(left + 0.5, top + 0.5, wide - 1, high - 1);
    const text = formatNumber(cell.mean, 4);
    if (wide > context.measureText(text).width + 8 && high > 14) {
      context.textAlign = 'center';
      context.fillStyle = textOn(colors.ramp[step] ?? colors.none);
      context.fillText(text, left + wide / 2, top + high / 2);
    }
    if (cell === lit) {
      context.strokeStyle = colors.text;
      context.lineWidth = 2;
      context.strokeRect(left + 1, top + 1, wide - 2, high - 2);
    }
  }
  context.fillStyle = colors.muted;
  context.textAlign = 'right';
  const stride = Math.max(1, Math.ceil(14 / high));
  for (const [row, label] of grid.rows.entries()) {
    if (row % stride !== 0) continue;
    const text = label.length > 10 ? `${label.slice(0, 9)}…` : label;
    context.fillText(text, PAD.left - 6, height - PAD.bottom - (row + 0.5) * high);
  }
  context.textAlign = 'center';
  let free = 0;
  for (const [column, label] of grid.columns.entries()) {
    const middle = PAD.left + (column + 0.5) * wide;
    const half = context.measureText(label).width / 2;
    if (middle - half < free || middle + half > width) continue;
    free = middle + half + 6;
    context.fillText(label, middle, height - AXIS_TITLE - 8);
  }
  drawAxisTitle(context, grid.xTitle, { from: PAD.left, to: width - PAD.right, height });
}

/** Black or white, whichever is read better on a color `rgb(r g b)` or `#rrggbb`. */
function textOn(color: string): string {
  const parts = /^#/.test(color)
    ? [1, 3, 5].map((from) => Number.parseInt(color.slice(from, from + 2), 16))
    : (color.match(/\d+/g) ?? []).map(Number);
  const [r = 128, g = 128, b = 128] = parts;
  return 0.299 * r + 0.587 * g + 0.114 * b > 140 ? '#000000' : '#ffffff';
}
