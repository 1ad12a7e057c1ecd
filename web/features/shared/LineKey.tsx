import type { SeriesStyle } from '#web/charts/seriesStyle.ts';

/** A short piece of the line with which a run is drawn. */
export function LineKey({ style }: { style: SeriesStyle }) {
  return (
    <svg className="line-key" width="26" height="10" aria-hidden="true" focusable="false">
      <line
        x1="1"
        y1="5"
        x2="25"
        y2="5"
        strokeWidth="2.5"
        strokeDasharray={style.dash.join(' ')}
        style={{ stroke: `var(${style.colorVariable})` }}
      />
    </svg>
  );
}
