import type { CustomSeriesRenderItemAPI, CustomSeriesRenderItemParams } from 'echarts';
import type { ChartColors } from './chartColors.ts';
import { type ChartScale, type Curve, drawable } from './curve.ts';

/** The line; values that cannot be drawn leave a gap. */
export function lineSeries(curve: Curve, scale: ChartScale, colors: ChartColors) {
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
export function bandSeries(curve: Curve, scale: ChartScale, colors: ChartColors) {
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
export function gapMarks(curve: Curve, scale: ChartScale, colors: ChartColors) {
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
