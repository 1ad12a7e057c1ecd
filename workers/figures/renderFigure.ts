import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import type { Figure } from './figure.ts';
import { figureOption } from './figureOption.ts';

export interface FigureSize {
  /** In CSS pixels. */
  width: number;
  height: number;
}

export const FIGURE_SIZE: FigureSize = { width: 820, height: 520 };
/** Pixels of the PNG for each CSS pixel. */
const PNG_SCALE = 2;
const FONT_FAMILY = 'DejaVu Sans';

/** The figure as SVG, drawn by ECharts without a browser. */
export async function figureSvg(figure: Figure, { width, height }: FigureSize = FIGURE_SIZE): Promise<string> {
  // Loaded when the first figure is drawn: it takes longer than all the rest that an executor loads at its start.
  const { init } = await import('echarts');
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption(figureOption(figure));
    return chart.renderToSVGString();
  } finally {
    chart.dispose();
  }
}

let font: Promise<Uint8Array> | null = null;

/** Starts the rasteriser once in a thread; its text is set in DejaVu Sans, so that pictures are the same on any machine. */
async function openRasteriser(): Promise<Uint8Array> {
  const packages = createRequire(import.meta.url);
  await initWasm(await readFile(packages.resolve('@resvg/resvg-wasm/index_bg.wasm')));
  return readFile(packages.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'));
}

/** An SVG as PNG. */
export async function svgToPng(svg: string): Promise<Uint8Array> {
  font ??= openRasteriser();
  const drawing = new Resvg(svg, {
    font: { fontBuffers: [await font], defaultFontFamily: FONT_FAMILY, sansSerifFamily: FONT_FAMILY },
    fitTo: { mode: 'zoom', value: PNG_SCALE },
    background: '#fff',
  });
  try {
    const image = drawing.render();
    try {
      return image.asPng();
    } finally {
      image.free();
    }
  } finally {
    drawing.free();
  }
}
