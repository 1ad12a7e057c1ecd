import * as echarts from 'echarts';
import { useEffect, useRef, useState } from 'react';
import { useTheme } from '#web/components/useTheme.ts';
import { safeOption } from './safeOption.ts';
import { useContent } from './useContent.ts';

const MOST_BYTES = 8 * 1024 * 1024;

/** An uploaded ECharts option, drawn by all of echarts, which comes with the first one that is shown. */
export function EchartsView({ url, label }: { url: string; label: string }) {
  const holder = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  const { data, error } = useContent(url, MOST_BYTES);
  const [problem, setProblem] = useState<string | null>(null);

  useEffect(() => {
    const element = holder.current;
    if (element === null || data === undefined) return;
    const chart = echarts.init(element, theme === 'dark' ? 'dark' : null);
    const observer = new ResizeObserver(() => chart.resize());
    observer.observe(element);
    try {
      const option = safeOption(JSON.parse(new TextDecoder().decode(data.bytes)));
      chart.setOption({ backgroundColor: 'transparent', ...option });
      setProblem(null);
    } catch (thrown) {
      setProblem(thrown instanceof Error ? thrown.message : String(thrown));
    }
    return () => {
      observer.disconnect();
      chart.dispose();
    };
  }, [data, theme]);

  const told = error?.message ?? problem;
  if (told != null) return <p className="danger-text">The chart cannot be shown: {told}</p>;
  return <div className="media-chart" ref={holder} role="img" aria-label={label} />;
}
