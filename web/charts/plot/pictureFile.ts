import type { ChartColors } from '../chartColors.ts';
import type { SeriesStyle } from '../seriesStyle.ts';
import type { DrawingContext } from './drawingContext.ts';
import type { PlotArea } from './plotCanvas.ts';
import { svgContext } from './svgContext.ts';

/** Helvetica's widths of the characters from space to tilde, in thousandths of the size: its metrics files have them. */
const WIDTHS = [
  ...[278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278],
  ...[556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556],
  ...[1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778],
  ...[667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556],
  ...[333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556],
  ...[556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584],
];
const OTHER = 556;
const WIDE = 1000;
/** Of the fonts that a reader's system may have instead, some are wider. */
const ROOM = 1.1;

/**
 * How wide a text may be in a font (`600 14px sans-serif`), in pixels, for files: who reads one has other fonts than who wrote it,
 * so that what a browser measures says no more, and a file is the same wherever it was written.
 */
function textWidth(text: string, font: string): number {
  const size = Number(/([\d.]+)px/.exec(font)?.[1] ?? 10);
  let sum = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    sum += WIDTHS[code - 32] ?? (code >= 0x2e80 ? WIDE : OTHER);
  }
  return (sum * size * ROOM) / 1000;
}

/** A picture for a file: a plot under its title, over what its colors mean. */
export interface Picture {
  title: string;
  draw(area: PlotArea): void;
  legend: readonly { label: string; style: SeriesStyle }[];
  /** Of the plot itself, in pixels. */
  width: number;
  height: number;
  colors: ChartColors;
}

const MARGIN = 12;
const TITLE = 26;
const LINE = 18;
/** Of more curves the rest is only counted. */
const MOST_LEGEND = 30;
/** A picture has so many pixels a CSS pixel, so that it is sharp in print. */
const PIXELS = 3;

/** The picture as SVG, in the colors of the page. */
export function svgPicture(picture: Picture): string {
  const size = sizeOf(picture);
  const context = svgContext(size, textWidth);
  drawPicture(context, picture, size);
  return context.svg();
}

/** A plot alone as SVG, without title and legend. @param name Begins the ids in it. */
export function plotSvg(draw: Picture['draw'], size: { width: number; height: number }, name: string): string {
  const context = svgContext(size, textWidth, name);
  draw({ context, ...size });
  return context.svg();
}

/** The picture as PNG, in the colors of the page. @throws Error where the browser cannot make one. */
export async function pngPicture(picture: Picture): Promise<Blob> {
  const size = sizeOf(picture);
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(size.width * PIXELS);
  canvas.height = Math.round(size.height * PIXELS);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('the browser has no canvas to draw on');
  context.scale(PIXELS, PIXELS);
  drawPicture(context, picture, size);
  return await new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('the browser made no PNG')) : resolve(blob)),
      'image/png',
    );
  });
}

function sizeOf({ width, height, legend }: Picture): { width: number; height: number } {
  const lines = Math.min(legend.length, MOST_LEGEND) + (legend.length > MOST_LEGEND ? 1 : 0);
  return { width: width + 2 * MARGIN, height: height + TITLE + 2 * MARGIN + lines * LINE };
}

function drawPicture(context: DrawingContext, picture: Picture, size: { width: number; height: number }): void {
  const { title, draw, legend, width, height, colors } = picture;
  const family = getComputedStyle(document.body).fontFamily;
  context.fillStyle = colors.surface;
  context.fillRect(0, 0, size.width, size.height);
  context.fillStyle = colors.text;
  context.font = `600 14px ${family}`;
  context.textAlign = 'left';
  context.textBaseline = 'alphabetic';
  context.fillText(title, MARGIN, MARGIN + 14);
  context.save();
  context.translate(MARGIN, MARGIN + TITLE);
  draw({ context, width, height });
  context.restore();
  context.font = `12px ${family}`;
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  const top = MARGIN + TITLE + height + 8;
  for (const [index, { label, style }] of legend.slice(0, MOST_LEGEND).entries()) {
    const middle = top + index * LINE + LINE / 2;
    context.strokeStyle = colors.of(style.colorVariable);
    context.lineWidth = 2.5;
    context.setLineDash(style.dash);
    context.beginPath();
    context.moveTo(MARGIN + 4, middle);
    context.lineTo(MARGIN + 30, middle);
    context.stroke();
    context.setLineDash([]);
    context.fillStyle = colors.text;
    context.fillText(label, MARGIN + 38, middle);
  }
  if (legend.length > MOST_LEGEND) {
    context.fillStyle = colors.muted;
    context.fillText(`and ${legend.length - MOST_LEGEND} more`, MARGIN + 38, top + MOST_LEGEND * LINE + LINE / 2);
  }
}
