import { memo, useCallback, useMemo, useRef, useState } from 'react';
import { ParallelAxis } from './ParallelAxis.tsx';
import { axisX, drawFaint, drawParallel, fractionsOf, nearestLine, PARALLEL_PAD } from './drawParallel.ts';
import { type KeptPicture, keepPicture } from './keptPicture.ts';
import { type PlotArea, usePlotCanvas } from './plotCanvas.ts';
import type { ParallelAxisData, Range } from './parallelTypes.ts';
import { readPlotColors } from './plotColors.ts';
import type { PlotPoints } from './plotPoints.ts';
import './plot.css';

export interface ParallelPlotProps {
  points: PlotPoints;
  axes: readonly ParallelAxisData[];
  /** What is chosen of each axis, by its id. */
  ranges: Readonly<Record<string, Range>>;
  onRange(id: string, range: Range | null): void;
  hovered: number | null;
  onHover(index: number | null): void;
  onPick(index: number): void;
  label: string;
  theme: string;
}

/**
 * Each point as a line over all axes. Dragging along an axis chooses a part of it, dragging that part moves it, a click beside it
 * takes it back; the ends are sliders for the keyboard.
 */
export const ParallelPlot = memo(function ParallelPlot(props: ParallelPlotProps) {
  const { points, axes, ranges, onRange, hovered, onHover, onPick, label, theme } = props;
  const colors = useMemo(() => readPlotColors(theme), [theme]);
  const [width, setWidth] = useState(0);
  const size = useRef({ width: 0, height: 0 });
  const kept = useRef<KeptPicture | null>(null);
  const lines = useMemo(() => fractionsOf(axes, points.count), [axes, points.count]);
  const draw = useCallback(
    (area: PlotArea) => {
      size.current = area;
      if (area.width !== width) setWidth(area.width);
      const faint = () =>
        keepPicture(kept, area, [lines, colors], (inside) =>
          drawFaint(inside, { points, axes, lines }, { color: colors.out }),
        );
      drawParallel(area, { points, axes, lines, colors, hovered, faint });
    },
    [points, axes, lines, colors, hovered, width],
  );
  const canvas = usePlotCanvas(draw);
  return (
    <div className="parallel">
      <canvas
        className="plot-canvas"
        ref={canvas}
        role="img"
        aria-label={label}
        style={{ cursor: hovered === null ? undefined : 'pointer' }}
        onPointerMove={(event) => {
          if (event.buttons !== 0) return;
          const box = event.currentTarget.getBoundingClientRect();
          const place = { x: event.clientX - box.left, y: event.clientY - box.top };
          const index = nearestLine(place, size.current, { points, axes, lines });
          if (index !== hovered) onHover(index);
        }}
        onPointerLeave={() => onHover(null)}
        onClick={() => hovered !== null && onPick(hovered)}
      />
      {axes.map((axis, index) => (
        <ParallelAxis
          key={axis.id}
          axis={axis}
          left={axisX(index, axes.length, width)}
          pad={PARALLEL_PAD}
          range={ranges[axis.id] ?? null}
          onRange={onRange}
        />
      ))}
    </div>
  );
});
