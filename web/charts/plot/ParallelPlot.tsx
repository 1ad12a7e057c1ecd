import {
  memo,
  useCallback,
  useMemo,
  useRef,
  useState,
  type RefObject,
  type KeyboardEvent,
  type PointerEvent,
} from 'react';
import { joinClasses } from '#web/lib/joinClasses.ts';
import type { ParallelAxisData, Range } from './parallelTypes.ts';
import { axisX, drawFaint, drawParallel, fractionsOf, nearestLine, PARALLEL_PAD } from './drawParallel.ts';
import { type PlotArea, usePlotCanvas } from './plotCanvas.ts';
import { readPlotColors } from './plotColors.ts';
import type { PlotPoints } from './plotPoints.ts';
import './plot.css';

interface ParallelAxisProps {
  axis: ParallelAxisData;
  /** Its middle, in pixels. */
  left: number;
  pad: { top: number; bottom: number };
  range: Range | null;
  onRange(id: string, range: Range | null): void;
}

/** A drag shorter than this is a click. */
const CLICK = 0.012;
const KEY_STEP = 0.02;

type Drag = { from: number; moved: boolean } & (
  | { what: 'new' }
  | { what: 'move'; range: Range }
  /** `other` is the end that stays. */
  | { what: 'end'; other: number }
);

/** One axis of a parallel plot: what is chosen of it, by pointer and by keyboard. */
function ParallelAxis({ axis, left, pad, range, onRange }: ParallelAxisProps) {
  const drag = useRef<Drag | null>(null);
  const root = useRef<HTMLDivElement>(null);
  const placeOf = (event: PointerEvent): number => {
    const box = root.current?.getBoundingClientRect();
    if (box === undefined) return 0;
    return clamp(1 - (event.clientY - box.top - pad.top) / (box.height - pad.top - pad.bottom));
  };
  const choose = (a: number, b: number) => onRange(axis.id, tidy([Math.min(a, b), Math.max(a, b)], axis.categories));

  const begin = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    const from = placeOf(event);
    const part = event.target instanceof HTMLElement ? event.target.dataset.part : undefined;
    event.currentTarget.setPointerCapture(event.pointerId);
    const [low, high] = range ?? [0, 1];
    if (range !== null && part === 'range') drag.current = { what: 'move', from, moved: false, range };
    else if (range !== null && part === 'low') drag.current = { what: 'end', from, moved: false, other: high };
    else if (range !== null && part === 'high') drag.current = { what: 'end', from, moved: false, other: low };
    else drag.current = { what: 'new', from, moved: false };
  };
  const move = (event: PointerEvent<HTMLDivElement>) => {
    const held = drag.current;
    if (held === null) return;
    const at = placeOf(event);
    held.moved ||= Math.abs(at - held.from) > CLICK;
    if (!held.moved) return;
    if (held.what === 'new') choose(held.from, at);
    else if (held.what === 'end') choose(held.other, at);
    else {
      const [low, high] = held.range;
      const by = Math.min(1 - high, Math.max(-low, at - held.from));
      choose(low + by, high + by);
    }
  };
  const end = () => {
    const held = drag.current;
    drag.current = null;
    if (held !== null && !held.moved && held.what === 'new' && range !== null) onRange(axis.id, null);
  };

  const onKey = (which: 'low' | 'high') => (event: KeyboardEvent) => {
    const [low, high] = range ?? [0, 1];
    const step = axis.categories === null ? KEY_STEP : 1 / axis.categories;
    const now = which === 'low' ? low : high;
    const moves: Record<string, number> = {
      ...{ ArrowUp: now + step, ArrowRight: now + step, ArrowDown: now - step, ArrowLeft: now - step },
      ...{ PageUp: now + 5 * step, PageDown: now - 5 * step, Home: 0, End: 1 },
    };
    const next = moves[event.key];
    if (event.key === 'Escape' || event.key === 'Delete') onRange(axis.id, null);
    else if (next === undefined) return;
    else if (which === 'low') onRange(axis.id, tidy([Math.min(clamp(next), high - step / 2), high], axis.categories));
    else onRange(axis.id, tidy([low, Math.max(clamp(next), low + step / 2)], axis.categories));
    event.preventDefault();
  };

  const [low, high] = range ?? [0, 1];
  const top = (place: number) => `calc(${pad.top}px + (100% - ${pad.top + pad.bottom}px) * ${1 - place})`;
  return (
    <div
      className="parallel-axis"
      ref={root}
      style={{ left }}
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
    >
      {range !== null && (
        <div
          className="parallel-range"
          data-part="range"
          style={{ top: top(high), height: `calc((100% - ${pad.top + pad.bottom}px) * ${high - low})` }}
        />
      )}
      {(['high', 'low'] as const).map((which) => {
        const place = which === 'low' ? low : high;
        return (
          <div
            key={which}
            className={joinClasses('parallel-end', range !== null && 'parallel-end-set')}
            data-part={which}
            role="slider"
            tabIndex={0}
            aria-label={`${axis.title}, ${which === 'low' ? 'lower' : 'upper'} end of the filter`}
            aria-orientation="vertical"
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={Math.round(place * 100)}
            aria-valuetext={range === null ? 'not filtered' : axis.textAt(place)}
            style={{ top: top(place) }}
            onKeyDown={onKey(which)}
          />
        );
      })}
    </div>
  );
}

function clamp(place: number): number {
  return Math.min(1, Math.max(0, place));
}

/** Of categories whole bands are chosen; the whole axis is no filter. */
function tidy([low, high]: Range, categories: number | null): Range | null {
  const tidied: Range =
    categories === null
      ? [low, high]
      : [Math.floor(low * categories + 1e-6) / categories, Math.ceil(high * categories - 1e-6) / categories];
  return tidied[0] <= 0 && tidied[1] >= 1 ? null : tidied;
}

/** A picture of a part of a plot, and of what it was made. */
interface KeptPicture {
  canvas: HTMLCanvasElement;
  of: readonly unknown[];
}

/** Draws a picture of what `paint` draws, which is called only where the size or a member of `of` has changed. */
function keepPicture(
  kept: RefObject<KeptPicture | null>,
  area: PlotArea,
  of: readonly unknown[],
  paint: (inside: PlotArea) => void,
): void {
  const { width, height, context } = area;
  if (context.drawImage === undefined) {
    paint(area);
    return;
  }
  const ratio = window.devicePixelRatio;
  const made = [...of, width, height, ratio];
  if (kept.current === null || made.some((part, index) => part !== kept.current?.of[index])) {
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(width * ratio));
    canvas.height = Math.max(1, Math.round(height * ratio));
    const inside = canvas.getContext('2d');
    if (inside === null) return;
    inside.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint({ context: inside, width, height });
    kept.current = { canvas, of: made };
  }
  context.drawImage(kept.current.canvas, 0, 0, width, height);
}

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
