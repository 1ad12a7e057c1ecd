import type { SeriesStyle } from '#web/charts/seriesStyle.ts';

/** A short piece of the line with which a run is drawn. @param props.width Pixels. */
export function LineKey({ style, width = 26 }: { style: SeriesStyle; width?: number }) {
  return (
    <svg className="line-key" width={width} height="10" aria-hidden="true" focusable="false">
      <line
        x1="1"
        y1="5"
        x2={width - 1}
        y2="5"
        strokeWidth="2.5"
        strokeDasharray={style.dash.join(' ')}
        style={{ stroke: `var(${style.colorVariable})` }}
      />
    </svg>
  );
}
