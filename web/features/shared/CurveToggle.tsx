import type { MouseEvent } from 'react';
import type { SeriesStyle } from '#web/charts/seriesStyle.ts';
import { LineKey } from './LineKey.tsx';
import './curveToggle.css';

export interface CurveToggleProps {
  /** Whose curve it is. */
  label: string;
  style: SeriesStyle;
  isHidden: boolean;
  width?: number;
  reachable?: boolean;
  /** @param alone Show this one and hide all others. */
  onToggle(alone: boolean): void;
}

/** The piece of line that says how a curve is drawn, and hides it when it is pressed; with Alt it hides all the others. */
export function CurveToggle({ label, style, isHidden, width = 16, reachable = true, onToggle }: CurveToggleProps) {
  return (
    <button
      type="button"
      className="curve-toggle"
      aria-pressed={!isHidden}
      aria-label={`Curve of ${label}`}
      title={`${isHidden ? 'Show' : 'Hide'} this curve. With Alt: show it alone.`}
      tabIndex={reachable ? 0 : -1}
      onClick={(event: MouseEvent) => onToggle(event.altKey)}
    >
      <LineKey style={style} width={width} />
    </button>
  );
}
