import { useEffect, useRef } from 'react';
import { readChartColors } from './chartColors.ts';
import type { ChartScale, Curve } from './curve.ts';
import { echarts } from './echartsCore.ts';
import { lineChartOption } from './lineChartOption.ts';
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
    const observer = new ResizeObserver(() => made.resize());
    observer.observe(element);
    made.getZr().on('dblclick', () => made.dispatchAction({ type: 'dataZoom', start: 0, end: 100 }));
    return () => {
      observer.disconnect();
      made.dispose();
      chart.current = null;
    };
  }, []);

  useEffect(() => {
    const option = lineChartOption(curves, scale, readChartColors(theme));
    chart.current?.setOption(option, { replaceMerge: ['series'], lazyUpdate: true });
  }, [curves, scale, theme]);

  return <div className="chart" ref={holder} role="img" aria-label={label} />;
}
