import type { EChartsCoreOption } from 'echarts/core';
import type { ChartColors } from './chartColors.ts';
import { type ChartScale, type Curve, drawable } from './curve.ts';
import { bandSeries, gapMarks, lineSeries } from './curveSeries.ts';
import { formatTick } from './formatTick.ts';
import { tooltipHtml } from './tooltipHtml.ts';

/** What echarts is told to draw the curves with their bands and the marks of values that have no place. */
export function lineChartOption(curves: readonly Curve[], scale: ChartScale, colors: ChartColors): EChartsCoreOption {
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
      axisLabel: { ...axis.axisLabel, formatter: evenLabels(scale.x === 'step' ? 0 : secondsStep(curves)) },
      name: scale.x === 'step' ? 'step' : 'seconds since the first point',
      ...{ nameLocation: 'middle', nameGap: 20, nameTextStyle: { color: colors.muted, fontSize: 11 } },
      type: 'value',
      min: 'dataMin',
      max: 'dataMax',
      splitLine: { show: false },
      minInterval: scale.x === 'step' ? 1 : 0,
    },
    yAxis: scale.logarithmic
      ? { ...axis, type: 'log', min: lowestPositive(curves) }
      : { ...axis, type: 'value', ...roundAxis(curves, scale.range, axis.axisLabel) },
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
 * Labels of marks in equal steps. The axis ends where the data does, and echarts marks that end too, beside the last round
 * number: 14, 15. It asks for the labels in order.
 * @param leastStep About the step between them, by which the first two have decimals.
 */
export function evenLabels(leastStep = 0): (value: number, index: number) => string {
  let before: number[] = [];
  return (value, index) => {
    before = [...before.slice(0, index), value];
    const [first, last] = before.slice(index - 2, index);
    const isUneven = index >= 2 && value - last! < 0.99 * (last! - first!);
    return isUneven ? '' : formatTick(value, index < 2 ? leastStep : last! - first!);
  };
}

/** About the step of echarts along all seconds. */
function secondsStep(curves: readonly Curve[]): number {
  const [low, high] = extremes(curves.map(({ x }) => x));
  return roundStep(high - low);
}

/** An axis from one round number to another around all values, whose labels have the same decimals. */
function roundAxis(curves: readonly Curve[], range: ChartScale['range'], axisLabel: object) {
  let [low, high] =
    range == null
      ? extremes(curves.flatMap(({ y, low, high }) => [y, low ?? [], high ?? []]))
      : [range.low, range.high];
  if (low > high) return { scale: true };
  if (low === high) {
    const half = Math.abs(low) * 0.05 || 0.5;
    [low, high] = [low - half, high + half];
  }
  const interval = roundStep(high - low);
  return {
    interval,
    ...{ min: Math.floor(low / interval + 1e-9) * interval, max: Math.ceil(high / interval - 1e-9) * interval },
    axisLabel: { ...axisLabel, formatter: (value: number) => formatTick(value, interval) },
  };
}

const MARKS = 5;

/** 1, 2 or 5 times a power of ten, about a fifth of the span. */
function roundStep(span: number): number {
  if (!(span > 0)) return 0;
  const rough = span / MARKS;
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
