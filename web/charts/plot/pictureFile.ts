import type { ChartColors } from '../chartColors.ts';
import type { SeriesStyle } from '../seriesStyle.ts';
import type { DrawingContext } from './drawingContext.ts';
import type { PlotArea } from './plotCanvas.ts';
import { svgContext } from './svgContext.ts';
import { textWidth } from './textWidth.ts';

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
