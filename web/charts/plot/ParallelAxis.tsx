import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { joinClasses } from '#web/lib/joinClasses.ts';
import type { ParallelAxisData, Range } from './parallelTypes.ts';

export interface ParallelAxisProps {
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
export function ParallelAxis({ axis, left, pad, range, onRange }: ParallelAxisProps) {
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
