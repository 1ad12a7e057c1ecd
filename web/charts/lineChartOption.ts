import type { EChartsCoreOption } from 'echarts/core';
import { axisTicks } from '#web/lib/valueAxis.ts';
import type { ChartColors } from './chartColors.ts';
import { type ChartScale, type Curve, drawable } from './curve.ts';
import type { CustomSeriesRenderItemAPI, CustomSeriesRenderItemParams } from 'echarts';
import { formatTick, shortLabels } from './formatTick.ts';
import { durationMarks } from './timeTicks.ts';
import { tooltipHtml } from './tooltipHtml.ts';

/** The line; values that cannot be drawn leave a gap. */
function lineSeries(curve: Curve, scale: ChartScale, colors: ChartColors) {
  const single = curve.x.length === 1;
  return {
    id: curve.id,
    name: curve.label,
    type: 'line',
    data: curve.x.map((x, i) => [x, drawable(curve.y[i]!, scale) ?? '-']),
    showSymbol: single || isSparse(curve, scale),
    symbol: 'circle',
    symbolSize: single ? 7 : 4,
    connectNulls: false,
    color: colors.of(curve.style.colorVariable),
    lineStyle: { width: 1.75, type: curve.style.dash.length === 0 ? 'solid' : curve.style.dash },
    emphasis: { disabled: true },
    z: 3,
  };
}

/** The band as one polygon behind the line; nothing where the curve has none. */
function bandSeries(curve: Curve, scale: ChartScale, colors: ChartColors) {
  const { low, high } = curve;
  if (low === null || high === null) return [];
  const corners = curve.x.flatMap((x, i) => {
    const bottom = drawable(low[i]!, scale);
    const top = drawable(high[i]!, scale);
    return bottom === null || top === null ? [] : [{ x, bottom, top }];
  });
  if (corners.length < 2) return [];
  return [
    {
      id: `${curve.id} band`,
      type: 'custom',
      data: corners.map(({ x, bottom, top }) => [x, bottom, top]),
      encode: { x: 0, y: [1, 2] },
      silent: true,
      tooltip: { show: false },
      clip: true,
      z: 1,
      renderItem(params: CustomSeriesRenderItemParams, api: CustomSeriesRenderItemAPI) {
        if (params.dataIndex !== 0) return null;
        const upper = corners.map((corner) => api.coord([corner.x, corner.top]));
        const lower = corners.map((corner) => api.coord([corner.x, corner.bottom])).reverse();
        return {
          type: 'polygon',
          shape: { points: [...upper, ...lower] },
          style: { fill: colors.of(curve.style.colorVariable), opacity: 0.18 },
        };
      },
    },
  ];
}

/** Marks where values that are not finite begin, at the height of the last one that was. */
function gapMarks(curve: Curve, scale: ChartScale, colors: ChartColors) {
  const marks: [x: number, y: number][] = [];
  let height = curve.y.map((value) => drawable(value, scale)).find((value) => value !== null) ?? 1;
  curve.y.forEach((value, i) => {
    const here = drawable(value, scale);
    if (here !== null) height = here;
    else if (!Number.isFinite(value) && (i === 0 || Number.isFinite(curve.y[i - 1]))) marks.push([curve.x[i]!, height]);
  });
  if (marks.length === 0) return [];
  return [
    {
      id: `${curve.id} gaps`,
      type: 'scatter',
      data: marks,
      symbol: 'diamond',
      symbolSize: 7,
      silent: true,
      tooltip: { show: false },
      itemStyle: { color: colors.surface, borderColor: colors.danger, borderWidth: 1.5 },
      z: 4,
    },
  ];
}

/** Few points, or points between gaps that no line reaches: these need a symbol to be seen. */
function isSparse(curve: Curve, scale: ChartScale): boolean {
  if (curve.x.length <= 30) return true;
  return curve.y.some((value, i) => {
    if (drawable(value, scale) === null) return false;
    const before = i > 0 && drawable(curve.y[i - 1]!, scale) !== null;
    const after = i + 1 < curve.y.length && drawable(curve.y[i + 1]!, scale) !== null;
    return !before && !after;
  });
}

export interface ChartLook {
  colors: ChartColors;
  /** Of the chart, in pixels. */
  size: { width: number; height: number };
}

/** What echarts is told to draw the curves with their bands and the marks of values that have no place. */
export function lineChartOption(
  curves: readonly Curve[],
  scale: ChartScale,
  { colors, size }: ChartLook,
): EChartsCoreOption {
  const axis = {
    axisLine: { lineStyle: { color: colors.line } },
    axisTick: { show: false },
    axisLabel: { color: colors.muted, fontSize: 11, hideOverlap: true, formatter: formatTick },
    splitLine: { lineStyle: { color: colors.line, opacity: 0.6 } },
  };
  return {
    animation: false,
    grid: { left: 8, right: 14, top: 10, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'all' },
    xAxis: {
      ...axis,
      axisLabel: { ...axis.axisLabel, ...labelsAcross(curves, scale, { width: size.width, shown: null }) },
      name: scale.xTitle ?? (scale.x === 'step' ? 'step' : 'time since the first point'),
      ...{ nameLocation: 'middle', nameGap: 20, nameTextStyle: { color: colors.muted, fontSize: 11 } },
      type: 'value',
      min: 'dataMin',
      max: 'dataMax',
      splitLine: { show: false },
      minInterval: scale.x === 'step' && scale.xTitle === undefined ? 1 : 0,
    },
    yAxis: scale.logarithmic
      ? { ...axis, type: 'log', min: lowestPositive(curves) }
      : {
          ...axis,
          type: 'value',
          ...roundAxis(curves, scale.range, { height: size.height, axisLabel: axis.axisLabel }),
        },
    dataZoom: [{ type: 'inside', xAxisIndex: 0, filterMode: 'none', zoomOnMouseWheel: 'ctrl', moveOnMouseMove: true }],
    tooltip: {
      trigger: 'axis',
      confine: true,
      transitionDuration: 0,
      backgroundColor: colors.surface,
      borderColor: colors.line,
      padding: [6, 8],
      textStyle: { color: colors.text, fontSize: 12 },
      axisPointer: { lineStyle: { color: colors.muted, width: 1, type: 'solid' } },
      formatter: (hits: unknown) => tooltipHtml(hits, curves, scale),
    },
    series: curves.flatMap((curve) => [
      ...bandSeries(curve, scale, colors),
      lineSeries(curve, scale, colors),
      ...gapMarks(curve, scale, colors),
    ]),
  };
}

/**
 * The labels of the horizontal axis: round numbers or durations, as many as there is room for. echarts would mark the ends of the
 * data, too, beside the last round number: 14, 15.
 * @param shown The part of x that is looked at; null: all.
 */
export function labelsAcross(
  curves: readonly Curve[],
  scale: ChartScale,
  { width, shown }: { width: number; shown: [low: number, high: number] | null },
) {
  const [low, high] = shown ?? extremes(curves.map(({ x }) => x));
  if (low > high) return {};
  const most = Math.max(3, Math.min(8, Math.floor((width - SIDES) / ACROSS)));
  const isWhole = scale.xTitle === undefined;
  const marks = scale.x === 'seconds' ? durationMarks({ low, high }, most) : numberMarks(low, high, { most, isWhole });
  const labels = new Map(marks.map(({ value, label }) => [value, label]));
  return { customValues: [...labels.keys()], formatter: (value: number) => labels.get(value) ?? '' };
}

/** What the labels of the vertical axis and the margin take. */
const SIDES = 60;
/** Pixels of a mark with its label. */
const ACROSS = 52;
const DOWN = 22;
/** Of a chart what its horizontal axis takes. */
const FOOT = 46;

/** @param isWhole Whether there is nothing between whole numbers, as between steps. */
function numberMarks(
  low: number,
  high: number,
  { most, isWhole }: { most: number; isWhole: boolean },
): { value: number; label: string }[] {
  const ticks = axisTicks(low, high, { isLog: false, most });
  if (!isWhole) return ticks;
  const whole = ticks.filter(({ value }) => Number.isInteger(value));
  const labels = shortLabels(whole.map(({ label }) => label.replace(/\.0+$/, '')));
  return whole.map(({ value }, index) => ({ value, label: labels[index]! }));
}

/** An axis from one round number to another around all values, whose labels have the same decimals. */
function roundAxis(
  curves: readonly Curve[],
  range: ChartScale['range'],
  { height, axisLabel }: { height: number; axisLabel: object },
) {
  let [low, high] =
    range == null
      ? extremes(curves.flatMap(({ y, low, high }) => [y, low ?? [], high ?? []]))
      : [range.low, range.high];
  if (low > high) return { scale: true };
  if (low === high) {
    const half = Math.abs(low) * 0.05 || 0.5;
    [low, high] = [low - half, high + half];
  }
  const interval = roundStep(high - low, Math.max(2, Math.min(MARKS, Math.floor((height - FOOT) / DOWN))));
  return {
    interval,
    ...{ min: Math.floor(low / interval + 1e-9) * interval, max: Math.ceil(high / interval - 1e-9) * interval },
    axisLabel: { ...axisLabel, formatter: (value: number) => formatTick(value, interval) },
  };
}

const MARKS = 5;

/** 1, 2 or 5 times a power of ten, of which so many make about the span. */
function roundStep(span: number, marks: number): number {
  if (!(span > 0)) return 0;
  const rough = span / marks;
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
}

function extremes(lists: readonly (readonly number[])[]): [low: number, high: number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const list of lists) {
    for (const value of list) {
      if (!Number.isFinite(value)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  return [low, high];
}

/** Without a bound of its own echarts begins a logarithmic axis at 1. */
function lowestPositive(curves: readonly Curve[]): number | undefined {
  let lowest = Number.POSITIVE_INFINITY;
  for (const curve of curves) {
    for (const value of [...curve.y, ...(curve.low ?? [])]) {
      const height = drawable(value, { logarithmic: true, x: 'step' });
      if (height !== null && height < lowest) lowest = height;
    }
  }
  return Number.isFinite(lowest) ? 10 ** Math.floor(Math.log10(lowest)) : undefined;
}
