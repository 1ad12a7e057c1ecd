import { useEffect, useMemo, useRef } from 'react';
import { type Media, type MediaSeries, useMedia } from './useMedia.ts';
import { readChartColors } from '#web/charts/chartColors.ts';
import { useTheme } from '#web/components/useTheme.ts';
import { formatCount, formatNumber } from '#web/lib/formatNumber.ts';
import { commonEdges, histogramOf, rebinned } from './histogram.ts';

const BINS = 48;

export interface HistogramStepsProps {
  runId: string;
  series: MediaSeries;
  step: number;
  onStep(step: number): void;
}

/** How a histogram changes over the steps: a column a step, the darker the more; a click chooses the step. */
export function HistogramSteps({ runId, series, step, onStep }: HistogramStepsProps) {
  const theme = useTheme();
  const canvas = useRef<HTMLCanvasElement>(null);
  const { data } = useMedia(runId, series.name, [series.steps[0]!, series.steps.at(-1)!]);
  const grid = useMemo(() => {
    const found = (data?.pages.flat() ?? []).filter(({ index }: Media) => index === 0);
    const shown = found.flatMap((item) => {
      const histogram = histogramOf(item.metadata);
      return histogram === null ? [] : [{ step: item.step, histogram }];
    });
    if (shown.length === 0) return null;
    const histograms = shown.map(({ histogram }) => histogram);
    const edges = commonEdges(histograms, BINS);
    return { edges, steps: shown.map((one) => one.step), shares: histograms.map((one) => rebinned(one, edges)) };
  }, [data]);

  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (grid === null || context == null) return;
    const { width, height } = context.canvas;
    const colors = readChartColors(theme);
    context.clearRect(0, 0, width, height);
    const largest = Math.max(...grid.shares.flat(), Number.MIN_VALUE);
    const columnWidth = width / grid.shares.length;
    grid.shares.forEach((shares, column) => {
      shares.forEach((share, bin) => {
        context.globalAlpha = Math.sqrt(share / largest);
        context.fillStyle = colors.of('--accent');
        const y = height - ((bin + 1) * height) / BINS;
        context.fillRect(column * columnWidth, y, columnWidth + 0.5, height / BINS);
      });
    });
    context.globalAlpha = 1;
    context.fillStyle = colors.text;
    const at = grid.steps.indexOf(step);
    if (at >= 0) context.fillRect((at + 0.5) * columnWidth - 1, 0, 2, height);
  }, [grid, step, theme]);

  if (grid === null) return null;
  const [low, high] = [grid.edges[0]!, grid.edges.at(-1)!];
  return (
    <div className="media-heat">
      <canvas
        ref={canvas}
        width={960}
        height={BINS * 4}
        role="img"
        aria-label={`${series.name} from step ${grid.steps[0]} to ${grid.steps.at(-1)}, values from ${formatNumber(low)} to ${formatNumber(high)}; the slider chooses the step`}
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          const column = Math.floor(((event.clientX - box.left) / box.width) * grid.steps.length);
          const chosen = grid.steps[column];
          if (chosen !== undefined) onStep(chosen);
        }}
      />
      <p className="muted">
        {formatNumber(low)} to {formatNumber(high)}, upwards; steps {formatCount(grid.steps[0]!)} to{' '}
        {formatCount(grid.steps.at(-1)!)}
        {grid.steps.length < series.steps.length && `: the first ${grid.steps.length} of ${series.steps.length}`}
      </p>
    </div>
  );
}
