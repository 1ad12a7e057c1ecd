import {
  memo,
  type PointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { Store } from '#web/lib/store.ts';
import { readChartColors } from '../chartColors.ts';
import { type PlotArea, usePlotCanvas } from '../plot/plotCanvas.ts';
import { lineKeys } from './lineKeys.ts';
import { drawLines, LINE_PAD, pixelsOf } from './drawLines.ts';
import type { LineScale } from './lineScale.ts';
import { joinClasses } from '#web/lib/joinClasses.ts';
import { formatSeconds } from '#web/lib/formatDuration.ts';
import { formatNumber } from '#web/lib/formatNumber.ts';
import { type CurveHit, curvesAt, nearestIndex } from './nearestCurve.ts';
import type { PlotCurve, PlotRange } from './plotCurve.ts';
import '../plot/plot.css';
import './lines.css';

interface LineTipProps {
  x: number;
  /** Where the pointer is, in pixels. */
  left: number;
  /** Of the plot. */
  width: number;
  hits: readonly CurveHit[];
  axisTitle: string;
  isTime: boolean;
  /** x is seconds since a beginning. */
  isDuration: boolean;
  lit: string | null;
  /** It follows keys, not a pointer: screen readers say it. */
  told: boolean;
}

const MOST_LINES = 10;

/** What the pointer shows: x, and the values of the curves that are nearest, with their bands and of how many runs they are. */
function LineTip({ x, left, width, hits, axisTitle, isTime, isDuration, lit, told }: LineTipProps) {
  if (hits.length === 0) return null;
  const isRight = left > width / 2;
  return (
    <div
      className="line-tip"
      {...(told ? { role: 'status' } : { 'aria-hidden': true })}
      style={isRight ? { right: width - left + 12 } : { left: left + 12 }}
    >
      <div className="line-tip-head">
        {isTime
          ? new Date(x).toLocaleString('en-GB')
          : `${axisTitle} ${(isDuration ? formatSeconds : formatNumber)(hits[0]?.curve.x[hits[0].index] ?? x)}`}
      </div>
      {hits.slice(0, MOST_LINES).map(({ curve, index }) => (
        <div key={curve.key} className={joinClasses('line-tip-line', curve.id === lit && 'line-tip-lit')}>
          <span className="line-tip-key" style={{ background: `var(${curve.style.colorVariable})` }} />
          <span className="line-tip-label">{curve.label}</span>
          <b>{formatNumber(curve.y[index]!)}</b>
          {curve.low !== null && curve.high !== null && (
            <span className="line-tip-band">
              {formatNumber(curve.low[index]!, 4)} to {formatNumber(curve.high[index]!, 4)}
            </span>
          )}
          {curve.n !== null && <span className="line-tip-band">n {curve.n[index]}</span>}
        </div>
      ))}
      {hits.length > MOST_LINES && <div className="line-tip-head">and {hits.length - MOST_LINES} more</div>}
    </div>
  );
}

/** Where the pointer is in one of the plots of a page: others with the same axis show the place. */
export interface SharedCursor {
  axis: string;
  x: number;
}

export interface LinePlotProps {
  curves: readonly PlotCurve[];
  scale: LineScale;
  /** What lies along x, as it is told apart from other axes, and in words. */
  axis: string;
  axisTitle: string;
  label: string;
  lit: Store<string | null>;
  cursor: Store<SharedCursor | null>;
  onZoom(range: PlotRange | null): void;
  /** A click on a curve. */
  onPick(id: string): void;
  theme: string;
}

/** A curve this near to the pointer is looked at. */
const REACH = 26;
const DRAG = 6;

/** Curves on a canvas. Dragging across looks closer, a double click shows everything again; `lineKeys` says which keys do so. */
export const LinePlot = memo(function LinePlot(props: LinePlotProps) {
  const { curves, scale, axis, axisTitle, label, lit, cursor, onZoom, onPick, theme } = props;
  const size = useRef({ width: 0, height: 0 });
  const line = useRef<HTMLDivElement>(null);
  const from = useRef<number | null>(null);
  const [chosen, setChosen] = useState<[number, number] | null>(null);
  const [hits, setHits] = useState<{ x: number; left: number; hits: CurveHit[] } | null>(null);
  const [looked, setLooked] = useState<{ x: number; id: string } | null>(null);
  const litId = useSyncExternalStore(lit.subscribe, lit.get);
  const colors = useMemo(() => readChartColors(theme), [theme]);
  const shown = litId !== null && curves.some(({ id }) => id === litId) ? litId : null;
  const draw = useCallback(
    (area: PlotArea) => {
      size.current = area;
      drawLines(area, { curves, scale, colors, lit: shown, xTitle: axisTitle });
    },
    [curves, scale, colors, shown, axisTitle],
  );
  const canvas = usePlotCanvas(draw);

  useCursorLine(line, { cursor, axis, scale, size });

  const pointOf = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const left = Math.min(box.width - LINE_PAD.right, Math.max(LINE_PAD.left, event.clientX - box.left));
    return { left, top: event.clientY - box.top };
  };
  const move = (event: PointerEvent<HTMLElement>) => {
    const { left, top } = pointOf(event);
    if (from.current !== null) {
      if (Math.abs(left - from.current) > DRAG) setChosen([Math.min(left, from.current), Math.max(left, from.current)]);
      return;
    }
    const x = pixelsOf(scale, size.current).xAt(left);
    const found = curvesAt(curves, scale, { x, top, size: size.current });
    cursor.set({ axis, x });
    setHits({ x, left, hits: found });
    setLooked(null);
    const [first] = found;
    lit.set(first !== undefined && first.away < REACH ? first.curve.id : null);
  };
  const leave = () => {
    cursor.set(null);
    lit.set(null);
    setHits(null);
    setLooked(null);
  };
  const look = (at: { x: number; id: string } | null) => {
    const curve = curves.find(({ id }) => id === at?.id);
    if (at === null || curve === undefined) return leave();
    const pixels = pixelsOf(scale, size.current);
    const top = pixels.y(curve.y[nearestIndex(curve.x, at.x) ?? 0] ?? Number.NaN);
    cursor.set({ axis, x: at.x });
    lit.set(at.id);
    setLooked(at);
    setHits({ x: at.x, left: pixels.x(at.x), hits: curvesAt(curves, scale, { x: at.x, top, size: size.current }) });
  };
  const onKeyDown = lineKeys({ curves, scale, at: looked, onLook: look, onZoom, onPick });
  const release = () => {
    const was = chosen;
    from.current = null;
    setChosen(null);
    if (was === null) {
      if (lit.get() !== null && hits !== null) onPick(lit.get()!);
      return;
    }
    const { xAt } = pixelsOf(scale, size.current);
    onZoom({ low: xAt(was[0]), high: xAt(was[1]) });
  };
  return (
    <div className="line-plot">
      <canvas
        className="plot-canvas"
        ref={canvas}
        role="img"
        aria-label={label}
        aria-keyshortcuts="ArrowLeft ArrowRight ArrowUp ArrowDown Home End Enter Plus Minus Escape"
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={() => looked !== null && leave()}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          from.current = pointOf(event).left;
        }}
        onPointerMove={move}
        onPointerUp={() => from.current !== null && release()}
        onPointerCancel={() => {
          from.current = null;
          setChosen(null);
        }}
        onPointerLeave={leave}
        onDoubleClick={() => onZoom(null)}
      />
      <div className="line-cursor" ref={line} style={{ top: LINE_PAD.top, bottom: LINE_PAD.bottom }} />
      {chosen !== null && (
        <div
          className="line-chosen"
          style={{ left: chosen[0], width: chosen[1] - chosen[0], top: LINE_PAD.top, bottom: LINE_PAD.bottom }}
        />
      )}
      {hits !== null && chosen === null && (
        <LineTip
          {...hits}
          width={size.current.width}
          axisTitle={axisTitle}
          isTime={scale.isTime}
          isDuration={scale.isDuration}
          lit={litId}
          told={looked !== null}
        />
      )}
    </div>
  );
});

interface CursorLine {
  cursor: Store<SharedCursor | null>;
  axis: string;
  scale: LineScale;
  /** Of the plot, as it was drawn last. */
  size: RefObject<{ width: number; height: number }>;
}

/** Moves a line to where the pointer is in any of the plots that share the cursor. */
function useCursorLine(line: RefObject<HTMLDivElement | null>, { cursor, axis, scale, size }: CursorLine): void {
  useEffect(() => {
    const place = () => {
      const element = line.current;
      if (element === null) return;
      const at = cursor.get();
      const left = at === null || at.axis !== axis ? Number.NaN : pixelsOf(scale, size.current).x(at.x);
      const isInside = left >= LINE_PAD.left && left <= size.current.width - LINE_PAD.right + 1;
      element.style.display = isInside ? 'block' : 'none';
      if (isInside) element.style.transform = `translateX(${left}px)`;
    };
    place();
    return cursor.subscribe(place);
  }, [line, size, cursor, axis, scale]);
}
