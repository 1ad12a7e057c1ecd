import type { MouseEvent } from 'react';
import type { SeriesStyle } from '#web/charts/seriesStyle.ts';
import { LineKey } from './LineKey.tsx';
import './curveToggle.css';

/** What pressing a curve's mark does: hides it or shows it, hides all others, or gives it the next color. */
export type CurveAct = 'toggle' | 'alone' | 'recolor';

export interface CurveToggleProps {
  /** Whose curve it is. */
  label: string;
  style: SeriesStyle;
  isHidden: boolean;
  width?: number;
  reachable?: boolean;
  onAct(act: CurveAct): void;
}

/** The piece of line that says how a curve is drawn, and hides it when it is pressed; with Alt it hides all the others, with Shift it changes color. */
export function CurveToggle({ label, style, isHidden, width = 16, reachable = true, onAct }: CurveToggleProps) {
  return (
    <button
      type="button"
      className="curve-toggle"
      aria-pressed={!isHidden}
      aria-label={`Curve of ${label}`}
      title={`${isHidden ? 'Show' : 'Hide'} this curve. With Alt: show it alone. With Shift: another color.`}
      tabIndex={reachable ? 0 : -1}
      onClick={({ altKey, shiftKey }: MouseEvent) => onAct(shiftKey ? 'recolor' : altKey ? 'alone' : 'toggle')}
    >
      <LineKey style={style} width={width} />
    </button>
  );
}
