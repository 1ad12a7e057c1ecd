import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import type { Figure, CurveFigure, FigureAxis, FigureCurve, HeatMapFigure } from './figure.ts';
import type { EChartsOption, SeriesOption } from 'echarts';

/** Colours of Okabe and Ito (2008), told apart with any colour vision. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000', '#b2a800'];
const INK = '#222';
const FONT = 'sans-serif';
/** Cells of a heat map up to which each shows its value. */
const MOST_LABELS = 100;

function axisOf(axis: FigureAxis, direction: 'x' | 'y', startsAtZero = false) {
  const { scale = 'linear', minimum, maximum } = axis;
  const shared = {
    name: axis.title,
    nameLocation: 'middle' as const,
    nameGap: direction === 'x' ? 30 : 52,
    nameTextStyle: { color: INK, fontSize: 13, fontFamily: FONT },
    axisLabel: { color: INK, fontFamily: FONT, hideOverlap: true },
    axisLine: { show: true, lineStyle: { color: '#888' } },
    axisTick: { show: true },
    splitLine: { show: scale !== 'category', lineStyle: { color: '#e6e6e6' } },
    ...(minimum === undefined ? {} : { min: minimum }),
    ...(maximum === undefined ? {} : { max: maximum }),
  };
  if (scale === 'category') {
    const crowded = direction === 'x' && (axis.categories ?? []).join('').length > 60;
    const label = {
      ...shared.axisLabel,
      interval: 0,
      hideOverlap: false,
      ...(crowded ? { rotate: 60, fontSize: 10 } : {}),
    };
    return {
      ...shared,
      ...(crowded ? { name: '' } : {}),
      type: 'category' as const,
      data: [...(axis.categories ?? [])],
      axisLabel: label,
    };
  }
  if (scale === 'log') {
    return {
      ...shared,
      type: 'log' as const,
      scale: !startsAtZero,
      axisLabel: { ...shared.axisLabel, formatter: powerLabel },
    };
  }
  return { ...shared, type: 'value' as const, scale: !startsAtZero };
}

function finitePoints(x: readonly number[], y: readonly number[]): (number | null)[][] {
  return x.map((value, i) => [value, Number.isFinite(y[i]) ? y[i]! : null]);
}

/** Powers of ten below 1 come with the rounding of their logarithm. */
function powerLabel(value: number): string {
  return value < 1 ? shortNumber(value) : value.toLocaleString('en-US');
}

/** Pixels that a legend takes above one row, by a generous estimate of its words at the figure's usual width. */
function legendExcess(names: readonly string[]): number {
  const ROW = 31;
  let [rows, used] = [1, 0];
  for (const { length } of names) {
    const width = 48 + 6.6 * length;
    if (used > 0 && used + width > 800) [rows, used] = [rows + 1, 0];
    used += width;
  }
  return ROW * (rows - 1);
}

/** The shade between two curves, as one polygon: stacked areas would be wrong on a logarithmic axis. */
function bandOf(curve: FigureCurve, colour: string): SeriesOption[] {
  const { x, band } = curve;
  if (band === undefined) return [];
  const known = x.map((value, i) => [value, band.low[i]!, band.high[i]!]).filter((row) => row.every(Number.isFinite));
  return [
    {
      type: 'custom' as const,
      silent: true,
      clip: true,
      data: known,
      // the axis has room for the shade
      encode: { x: 0, y: [1, 2] },
      renderItem: ({ dataIndex }: { dataIndex: number }, api: { coord(point: number[]): number[] }) => ({
        // the first item draws the whole shade
        type: 'polygon' as const,
        ignore: dataIndex > 0,
        shape: {
          points: [
            ...known.map((row) => api.coord([row[0]!, row[2]!])),
            ...known.toReversed().map((row) => api.coord([row[0]!, row[1]!])),
          ],
        },
        style: { fill: colour, opacity: 0.15 },
      }),
    },
  ];
}

function curvesOption(figure: CurveFigure) {
  const series = figure.series.flatMap((one, index): SeriesOption[] => {
    const colour = COLOURS[index % COLOURS.length]!;
    const shared = { name: one.name, itemStyle: { color: colour }, animation: false };
    if (one.form === 'bars') return [{ ...shared, type: 'bar' as const, data: [...one.values] }];
    const data = finitePoints(one.x, one.y);
    if (one.form === 'points') return [{ ...shared, type: 'scatter' as const, symbolSize: 7, data }];
    const lineStyle = { color: colour, width: 2, type: one.isDashed ? ('dashed' as const) : ('solid' as const) };
    const line = { ...shared, type: 'line' as const, data, lineStyle, symbolSize: 5, showSymbol: one.x.length <= 60 };
    return [...bandOf(one, colour), line];
  });
  const isCrowded = figure.x.scale === 'category' && (figure.x.categories ?? []).join('').length > 60;
  const names = figure.series.map(({ name }) => name);
  return {
    legend: {
      bottom: 6,
      itemGap: 18,
      data: names,
      textStyle: { color: INK, fontFamily: FONT },
    },
    grid: { left: 78, right: 28, top: 48, bottom: (isCrowded ? 170 : 84) + legendExcess(names) },
    xAxis: axisOf(figure.x, 'x'),
    yAxis: axisOf(
      figure.y,
      'y',
      figure.series.some(({ form }) => form === 'bars'),
    ),
    series,
  };
}

/** Four significant digits. */
function shortNumber(value: number): string {
  return String(Number(value.toPrecision(4)));
}

function heatMapOption(figure: HeatMapFigure) {
  const cells = figure.values.flatMap((row, r) => row.map((value, c) => [c, r, value]));
  const values = cells.map((cell) => cell[2]!).filter(Number.isFinite);
  const categories = (axis: FigureAxis, count: number): FigureAxis => ({
    ...axis,
    scale: 'category',
    categories: axis.categories ?? Array.from({ length: count }, (_, i) => String(i)),
  });
  return {
    grid: { left: 92, right: 120, top: 48, bottom: 64 },
    xAxis: axisOf(categories(figure.x, figure.values[0]?.length ?? 0), 'x'),
    yAxis: axisOf(categories(figure.y, figure.values.length), 'y'),
    visualMap: {
      min: Math.min(...values),
      max: Math.max(...values),
      right: 8,
      top: 'middle',
      text: [`${figure.valueTitle}\n${shortNumber(Math.max(...values))}`, shortNumber(Math.min(...values))],
      precision: 3,
      textStyle: { color: INK, fontFamily: FONT },
      inRange: { color: ['#440154', '#3b528b', '#21918c', '#5ec962', '#fde725'] },
    },
    series: [
      {
        type: 'heatmap' as const,
        data: cells
          .filter((cell) => Number.isFinite(cell[2]))
          .map((cell) => ({ value: cell, name: shortNumber(cell[2]!) })),
        label: { show: cells.length <= MOST_LABELS, formatter: '{b}', fontFamily: FONT, fontSize: 11 },
        animation: false,
      },
    ],
  };
}

/** Smaller for titles that would be cut off at the figure's usual width. */
function titleSize({ length }: string): number {
  return Math.max(10, Math.min(15, Math.floor(1500 / length)));
}

/** The figure as an option of ECharts. */
function figureOption(figure: Figure): EChartsOption {
  const title = {
    text: figure.title,
    left: 'center',
    top: 10,
    textStyle: { color: INK, fontSize: titleSize(figure.title), fontWeight: 'normal' as const, fontFamily: FONT },
  };
  const drawn = figure.form === 'heat-map' ? heatMapOption(figure) : curvesOption(figure);
  // the option is made of the parts above; ECharts' own type of a series is a union too wide to be inferred from them
  return { animation: false, backgroundColor: '#fff', title, ...drawn } as EChartsOption;
}

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
