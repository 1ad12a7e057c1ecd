import { useEffect, useRef } from 'react';
import * as z from 'zod/mini';
import { readChartColors } from './chartColors.ts';
import type { ChartScale, Curve } from './curve.ts';
import { echarts } from './echartsCore.ts';
import { labelsAcross, lineChartOption } from './lineChartOption.ts';
import './chart.css';

export interface LineChartProps {
  curves: readonly Curve[];
  scale: ChartScale;
  /** What the chart shows, in words, for those who do not see it. */
  label: string;
  /** Changes when the page turns light or dark. */
  theme: string;
}

/** Curves on a canvas. Ctrl and wheel zooms, dragging moves, a double click shows everything again. */
export function LineChart({ curves, scale, label, theme }: LineChartProps) {
  const holder = useRef<HTMLDivElement>(null);
  const chart = useRef<echarts.ECharts | null>(null);

  useEffect(() => {
    const element = holder.current;
    if (element === null) return;
    const made = echarts.init(element);
    chart.current = made;
    const observer = new ResizeObserver(() => {
      made.resize();
      made.trigger('resized');
    });
    observer.observe(element);
    made.getZr().on('dblclick', () => made.dispatchAction({ type: 'dataZoom', start: 0, end: 100 }));
    return () => {
      observer.disconnect();
      made.dispose();
      chart.current = null;
    };
  }, []);

  useEffect(() => {
    const made = chart.current;
    if (made === null) return;
    const size = { width: made.getWidth(), height: made.getHeight() };
    const option = lineChartOption(curves, scale, { colors: readChartColors(theme), size });
    made.setOption(option, { replaceMerge: ['series'], lazyUpdate: true });
    // the marks go by what is looked at, and by the room there is
    const mark = () => {
      const width = made.getWidth();
      made.setOption({ xAxis: { axisLabel: labelsAcross(curves, scale, { width, shown: shownOf(made) }) } });
    };
    made.on('datazoom', mark);
    made.on('resized', mark);
    return () => {
      made.off('datazoom', mark);
      made.off('resized', mark);
    };
  }, [curves, scale, theme]);

  return <div className="chart" ref={holder} role="img" aria-label={label} />;
}

const zoomSchema = z.object({ dataZoom: z.array(z.object({ startValue: z.number(), endValue: z.number() })) });

/** The part of x that is looked at; null: all, or not known. */
function shownOf(chart: echarts.ECharts): [low: number, high: number] | null {
  const zoom = zoomSchema.safeParse(chart.getOption()).data?.dataZoom[0];
  return zoom === undefined ? null : [zoom.startValue, zoom.endValue];
}
